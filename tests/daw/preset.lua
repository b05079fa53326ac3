-- Opens the session, gives the plugin on "plain" the preset that the first argument names, waits until it and "own" report as many
-- frames as the second says, and looks for the control "Level" on "own"; saves.
open()
local plugin, frames = catena("plain"):to_insert():plugin(0), tonumber(arg[3])
local preset = plugin:preset_by_label(arg[2])
assert(preset.valid, "Ardour does not list the preset " .. arg[2])
assert(plugin:load_preset(preset), "the preset was not loaded")
wait_for_latencies({ plain = frames, own = frames })
local own = catena("own")
control(own, "Level")
print("plugin", own:name(), "by", own:to_insert():plugin(0):maker())
leave()
