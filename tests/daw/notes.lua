-- Opens the session, waits until each NAME=FRAMES reports that latency, puts a note at each frame that further arguments
-- name into the track's region in the place of what was recorded, exports the song, saves. 120 beats a minute: 12.5 frames a tick.
open()
local names, latencies = arguments()
local frames, tracks = {}, {}
for _, name in ipairs(names) do
  if latencies[name] then table.insert(tracks, name) else table.insert(frames, tonumber(name)) end
end
wait_for_latencies(latencies)
for _, name in ipairs(tracks) do
  for region in route(name):to_track():playlist():region_list():iter() do
    assert(region:position():samples() == 0, "the region starts late")
    local model = region:to_midiregion():midi_source(0):model()
    local change = model:new_note_diff_command("notes")
    for note in ARDOUR.LuaAPI.note_list(model):iter() do change:remove(note) end
    for _, frame in ipairs(frames) do
      local ticks = frame / 12.5
      assert(ticks == math.floor(ticks), "no tick at " .. frame)
      local length = Temporal.Beats.ticks(200)
      change:add(ARDOUR.LuaAPI.new_noteptr(0, Temporal.Beats.ticks(math.floor(ticks)), length, 60, 100))
    end
    model:apply_command(Session, change)
  end
end
export("mix", 0, 48000)
leave()
