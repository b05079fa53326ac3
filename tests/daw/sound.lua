-- Opens the session, waits until each NAME=FRAMES reports that latency, bounces each track, exports the song, saves.
open()
local names, latencies = arguments()
wait_for_latencies(latencies)
for _, name in ipairs(names) do print("track", name, "latency", catena(name):signal_latency(), "route", route(name):signal_latency()) end
bounce(names)
export("mix", 0, 48000)
export("middle", 24000, 36000)
leave()
