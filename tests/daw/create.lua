-- Creates a session with a stereo track, puts the VST3 plugin in, saves.
-- ardour7-lua create.lua FOLDER CLASS-ID
local folder, class = arg[1], arg[2]
AudioEngine:set_backend("None (Dummy)", "", ""):set_buffer_size(256)
assert(create_session(folder, "s", 48000) and Session)
Session:new_audio_track(2, 2, nil, 1, "chain", ARDOUR.PresentationInfo.max_order, ARDOUR.TrackMode.Normal, true)
local track = Session:route_by_name("chain"):to_track()
local plugin = ARDOUR.LuaAPI.new_plugin(Session, class, ARDOUR.PluginType.VST3, "")
assert(not plugin:isnil(), "Ardour does not know the plugin")
assert(track:add_processor_by_index(plugin, 0, nil, true) == 0)
print("inserted", plugin:to_insert():plugin(0):name())
print("saved", Session:save_state("", false, false, false, false, false))
close_session()
quit()
