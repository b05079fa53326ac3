-- Opens the session; puts each track into strict and then into flexible I/O, tells what the plugin then has of channels:
-- in, out, and what leaves the track, and bounces it. Saves.
open()
local audio = ARDOUR.DataType("audio")
local function count(streams) return streams:get(audio) end
for _, mode in ipairs({ "strict", "flexible" }) do
  for at = 2, #arg do
    local name = arg[at]
    route(name):set_strict_io(mode == "strict")
    assert(route(name):strict_io() == (mode == "strict"))
    local insert = catena(name):to_insert()
    print(mode, name, "copies", insert:get_count(), "declares", count(insert:natural_input_streams()), count(insert:natural_output_streams()),
      "takes", count(insert:input_streams()), "gives", count(insert:output_streams()))
    bounce({ name }, mode)
  end
end
leave()
