-- Opens what create.lua saved, tells what it finds, saves again.
-- ardour7-lua reopen.lua FOLDER
local folder = arg[1]
AudioEngine:set_backend("None (Dummy)", "", ""):set_buffer_size(256)
assert(load_session(folder, "s") and Session)
local route = Session:route_by_name("chain")
local plugin = route:nth_plugin(0)
assert(not plugin:isnil(), "the plugin is gone")
-- A VST3 tells its latency from its first blocks on.
for _ = 1, 100 do
  sleep(0.1)
  if plugin:signal_latency() > 0 then break end
end
print("name", plugin:name())
print("active", plugin:active())
print("latency", plugin:signal_latency())
print("saved", Session:save_state("", false, false, false, false, false))
close_session()
quit()
