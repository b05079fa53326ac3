-- What every script of ours in Ardour begins with. arg[1] is the session's folder.
folder = arg[1]

-- Ardour's clock without hardware.
function engine(device)
  local backend = AudioEngine:set_backend("None (Dummy)", "", "")
  if device then backend:set_device_name(device) end
  backend:set_buffer_size(256)
end

function open()
  engine()
  assert(load_session(folder, "s") and Session)
end

function leave()
  print("saved", Session:save_state("", false, false, false, false, false))
  close_session()
  quit()
end

-- Waits until done() holds, as long as a busy machine may take.
function wait(what, done)
  for _ = 1, 1200 do
    if done() then return end
    sleep(0.05)
  end
  error("waited for " .. what)
end

function route(name)
  local found = Session:route_by_name(name)
  assert(not found:isnil(), "no track " .. name)
  return found
end

-- Catena on that track.
function catena(name)
  local found = route(name):nth_plugin(0)
  assert(not found:isnil(), "the plugin is gone from " .. name)
  return found
end

-- Arms these tracks and rolls for some seconds; during() is called once they roll.
function record(names, seconds, during)
  local group = PBD.GroupControlDisposition.NoGroup
  local source = ARDOUR.TransportRequestSource.TRS_UI
  -- Ardour does it in its next cycle: what is saved before that has a track as it was.
  local function arm(value)
    for _, name in ipairs(names) do route(name):to_track():rec_enable_control():set_value(value, group) end
    wait("the tracks' arming to be " .. value, function()
      for _, name in ipairs(names) do
        if route(name):to_track():rec_enable_control():get_value() ~= value then return false end
      end
      return true
    end)
  end
  local before = {}
  for _, name in ipairs(names) do before[name] = route(name):to_track():playlist():n_regions() end
  arm(1)
  Session:maybe_enable_record()
  Session:request_roll(source)
  wait("the song to roll", function() return Session:transport_sample() > 4800 end)
  if during then during() end
  wait("the song to roll on", function() return Session:transport_sample() > seconds * 48000 end)
  Session:request_stop(false, false, source)
  wait("the regions", function()
    for _, name in ipairs(names) do
      if route(name):to_track():playlist():n_regions() <= before[name] then return false end
    end
    return true
  end)
  arm(0)
end

-- Waits until the plugin of each track reports its latency: pairs of name and frames.
function wait_for_latencies(wanted)
  for name, frames in pairs(wanted) do
    wait(name .. " to report " .. frames .. ", not " .. catena(name):signal_latency(), function()
      return catena(name):signal_latency() == frames
    end)
  end
end

-- Bounces what the tracks hold through their plugins, into files whose names begin with `as`, `bounced` without it.
function bounce(names, as)
  for _, name in ipairs(names) do
    local track = route(name):to_track()
    for region in track:playlist():region_list():iter() do
      local from = region:position():samples()
      local till = from + region:length():samples()
      local made = track:bounce_range(from, till, ARDOUR.InterThreadInfo(), track:main_outs(), false, (as or "bounced") .. "-" .. name)
      assert(not made:isnil(), "no bounce of " .. name)
    end
  end
end

-- Exports the song as FOLDER/export/NAME.wav, 32-bit floats.
function export(name, from, till)
  local all = Session:simple_export()
  all:set_folder(folder .. "/export")
  all:set_name(name)
  all:set_range(from, till)
  assert(all:set_preset("7d3d9cf0-3d0b-4a0e-9f6a-0c6b8a5f1e01"), "no preset")
  assert(all:run_export(), "no export")
  print("exported", name)
end

-- A script's further arguments: those of the form NAME=NUMBER as a table, the others in order.
function arguments()
  local numbers, names = {}, {}
  for at = 2, #arg do
    local name, number = arg[at]:match("^([^=]+)=([-%d.]+)$")
    if name then
      numbers[name] = tonumber(number)
      table.insert(names, name)
    else
      table.insert(names, arg[at])
    end
  end
  return names, numbers
end

-- The number among a plugin's controls of the one with that label.
function control(processor, label)
  local plugin, number = processor:to_insert():plugin(0), 0
  for at = 0, plugin:parameter_count() - 1 do
    if plugin:parameter_is_control(at) then
      if plugin:parameter_label(at) == label then return number end
      number = number + 1
    end
  end
  error("no control " .. label)
end
