-- Opens the session and exports a quarter of a second from the middle of the song at once, with no block before, and then
-- again. Saves.
open()
export("first", 24000, 36000)
export("second", 24000, 36000)
leave()
