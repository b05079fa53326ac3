-- Opens the session, waits until each NAME=FRAMES reports that latency, tells what it finds, saves again.
open()
local names, latencies = arguments()
wait_for_latencies(latencies)
for _, name in ipairs(names) do
  local plugin = catena(name)
  print("track", name, plugin:name(), plugin:active(), "latency", plugin:signal_latency(), "route", route(name):signal_latency())
end
leave()
