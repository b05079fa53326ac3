-- Opens the session, waits until each NAME=FRAMES reports that latency, tells what it finds, bounces each track, exports
-- the song, saves.
open()
local names, latencies = arguments()
wait_for_latencies(latencies)
for _, name in ipairs(names) do
  local plugin = catena(name)
  print("track", name, "latency", plugin:signal_latency(), "route", route(name):signal_latency())
  for number = 1, 3 do
    local found, at = pcall(control, plugin, "Macro " .. number)
    if found then print("macro", name, number, string.format("%.4f", ARDOUR.LuaAPI.get_processor_param(plugin, at, true))) end
  end
end
bounce(names)
export("mix", 0, 48000)
leave()
