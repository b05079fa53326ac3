-- Opens the session, waits until the plugin on "chain" reports as many frames as the first argument says, sets the macros
-- that further arguments N=VALUE name, records a second, saves.
open()
wait_for_latencies({ chain = tonumber(arg[2]) })
local plugin = catena("chain")
for at = 3, #arg do
  local number, value = arg[at]:match("^(%d+)=([%d.]+)$")
  assert(ARDOUR.LuaAPI.set_processor_param(plugin, control(plugin, "Macro " .. number), tonumber(value)))
end
record({ "chain" }, 1.1)
leave()
