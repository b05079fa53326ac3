-- Creates a session with a track for each NAME:KIND:CHANNELS:FORMAT:ID, Catena on it; records on them all for as many
-- seconds as the first argument says, 0 for none; saves.
engine()
assert(create_session(folder, "s", 48000) and Session)
local names, keyboard = {}, nil
local parser = ARDOUR.RawMidiParser()

-- MIDI without a message records no region.
local function play(...)
  for _, byte in ipairs({ ... }) do
    if parser:process_byte(byte) then keyboard:write(parser:midi_buffer(), parser:buffer_size(), 0) end
  end
end

for at = 3, #arg do
  local name, kind, channels, format, id = arg[at]:match("^(%w+):(%w+):(%d+):(%w+):(.+)$")
  local max, normal = ARDOUR.PresentationInfo.max_order, ARDOUR.TrackMode.Normal
  if kind == "midi" then
    local midi, stereo = ARDOUR.ChanCount(ARDOUR.DataType("midi"), 1), ARDOUR.ChanCount(ARDOUR.DataType("audio"), 2)
    Session:new_midi_track(midi, stereo, true, ARDOUR.PluginInfo(), nil, nil, 1, name, max, normal, true)
    assert(route(name):input():midi(0):connect("x-virtual-keyboard") == 0)
    local _, ports = AudioEngine:get_ports(ARDOUR.DataType("midi"), ARDOUR.PortList())
    for port in ports[2]:iter() do
      if port:name() == "x-virtual-keyboard" then keyboard = port:to_asyncmidiport() end
    end
  else
    Session:new_audio_track(tonumber(channels), 2, nil, 1, name, max, normal, true)
  end
  local plugin = ARDOUR.LuaAPI.new_plugin(Session, id, ARDOUR.PluginType[format], "")
  assert(not plugin:isnil(), "Ardour does not know " .. id)
  assert(route(name):add_processor_by_index(plugin, 0, nil, true) == 0)
  print("inserted", plugin:to_insert():plugin(0):name(), "on", name)
  table.insert(names, name)
end
local seconds = tonumber(arg[2])
if seconds > 0 then
  record(names, seconds, function()
    if keyboard then
      play(0x90, 60, 1)
      play(0x80, 60, 1)
    end
  end)
end
leave()
