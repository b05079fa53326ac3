-- Opens the session; macro 1 of "chain" moves its latency, and Ardour is to follow: to each number of frames that the
-- arguments name, of 1024 at most. Then macro 2 is automated: 0 up to frame 24000, 1 from there on. Exports, saves.
open()
local plugin = catena("chain")
for at = 2, #arg do
  local frames = tonumber(arg[at])
  assert(ARDOUR.LuaAPI.set_processor_param(plugin, control(plugin, "Macro 1"), frames / 1024))
  wait_for_latencies({ chain = frames })
  wait("the route to follow", function() return route("chain"):signal_latency() == frames end)
  print("followed to", frames)
end
local list, line = ARDOUR.LuaAPI.plugin_automation(plugin, control(plugin, "Macro 2"))
assert(not list:isnil(), "no automation")
for _, point in ipairs({ { 0, 0 }, { 23975, 0 }, { 24000, 1 }, { 48000, 1 } }) do
  line:add(Temporal.timepos_t(point[1]), point[2], false, true)
end
local port = plugin:to_insert():plugin(0):nth_parameter(control(plugin, "Macro 2"), false)
local macro = plugin:to_automatable():automation_control(Evoral.Parameter(ARDOUR.AutomationType.PluginAutomation, 0, port), false)
assert(not macro:isnil(), "no control")
macro:set_automation_state(ARDOUR.AutoState.Play)
export("mix", 0, 48000)
leave()
