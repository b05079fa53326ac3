-- Opens what create.lua saved, records a second and a half onto the track, saves.
-- ardour7-lua record.lua FOLDER
local backend = AudioEngine:set_backend("None (Dummy)", "", "")
backend:set_buffer_size(256)
assert(load_session(arg[1], "s") and Session)
local track = Session:route_by_name("chain"):to_track()
track:rec_enable_control():set_value(1, PBD.GroupControlDisposition.NoGroup)
Session:maybe_enable_record()
Session:request_roll(ARDOUR.TransportRequestSource.TRS_UI)
sleep(1.5)
Session:request_stop(false, false, ARDOUR.TransportRequestSource.TRS_UI)
sleep(1)
track:rec_enable_control():set_value(0, PBD.GroupControlDisposition.NoGroup)
for region in track:playlist():region_list():iter() do
  print("region", region:position():samples(), region:length():samples(), region:start():samples())
end
print("saved", Session:save_state("", false, false, false, false, false))
close_session()
quit()
