-- Opens what record.lua saved and bounces the recorded region through the plugin.
-- ardour7-lua bounce.lua FOLDER
AudioEngine:set_backend("None (Dummy)", "", ""):set_buffer_size(256)
assert(load_session(arg[1], "s") and Session)
local route = Session:route_by_name("chain")
local track, plugin = route:to_track(), route:nth_plugin(0)
assert(not plugin:isnil(), "the plugin is gone")
-- A VST3 tells its latency from its first blocks on.
for _ = 1, 100 do
  sleep(0.1)
  if plugin:signal_latency() > 0 then break end
end
print("latency", plugin:signal_latency())
for region in track:playlist():region_list():iter() do
  local from = region:position():samples()
  local till = from + region:length():samples()
  local made = track:bounce_range(from, till, ARDOUR.InterThreadInfo(), track:main_outs(), false, "bounced")
  assert(not made:isnil(), "no bounce")
  print("bounced", made:length():samples())
end
close_session()
quit()
