-- Opens the session; the song rolls, "ear" records what comes out of "chain", and macro 1 of "chain" moves its latency to each of
-- the numbers of frames that the arguments name, of 1024 at most, with a second between. Saves.
open()
assert(route("chain"):to_track():rec_enable_control():get_value() == 0, "chain is armed")
local plugin, ear = catena("chain"), route("ear")
local macro = control(plugin, "Macro 1")
for channel = 0, 1 do
  ear:input():audio(channel):disconnect_all()
  assert(ear:input():audio(channel):connect(route("chain"):output():audio(channel):name()) == 0)
end
record({ "ear" }, 3 + 2 * (#arg - 1), function()
  sleep(1)
  for at = 2, #arg do
    local frames = tonumber(arg[at])
    print("asked at", Session:transport_sample())
    assert(ARDOUR.LuaAPI.set_processor_param(plugin, macro, frames / 1024))
    wait_for_latencies({ chain = frames })
    print("followed to", frames, "at", Session:transport_sample())
    sleep(1)
  end
end)
leave()
