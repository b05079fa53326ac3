### The editor's words. A name begins with the source file that says it; what changes with a number has Fluent's selectors.

## The page Find: plugins

browser-everything-can-be-used = Everything that was found can be used.
browser-all-plugins = { $all ->
    [one] 1 plugin
   *[other] { $all } plugins
}
browser-found-of-all-plugins = { $all ->
    [one] { $found } of 1 plugin
   *[other] { $found } of { $all } plugins
}
browser-enter-puts-it-in-place-of = Enter puts it in the place of { $title }
browser-enter-adds-after-with-shift = Enter adds after { $title }, with Shift in its place
browser-enter-adds-after = Enter adds after { $title }
browser-enter-adds-to = Enter adds to { $title }
browser-enter-adds-at-the-end = Enter adds at the end
browser-find-a-plugin = Find a plugin
browser-name-maker-or-kind = Name, maker or kind
browser-all-kinds = All kinds
browser-kind = Kind
browser-all-makers = All makers
browser-maker = Maker
browser-both = Both
browser-format = Format
browser-favourites = Favourites
browser-show-favourites = Show favourites
browser-those-with-a-star-f = Those with a star (F on a line)
browser-recent = Recent
browser-show-recent = Show recent
browser-those-that-were-used-last = Those that were used last on this computer
browser-hidden = Hidden
browser-show-hidden = Show hidden
browser-those-that-were-hidden-h = Those that were hidden (H on a line)
browser-unusable = Unusable
browser-show-what-cannot-be-used = Show what cannot be used
browser-with-the-reason-of-each = With the reason of each, and a second try
browser-no-plugin-fits-text = No plugin fits “{ $text }”. Fewer letters find more.
browser-no-favourites-yet = No favourites yet: the star of a line, or F on it, makes it one.
browser-nothing-was-used-here-yet = Nothing was used here yet.
browser-nothing-is-hidden = Nothing is hidden.
browser-no-plugin-fits = No plugin fits.
browser-show-all = Show all
browser-show-all-plugins = Show all plugins
browser-looking-for-plugins = Looking for plugins: { $done } of { $total }
browser-stop = Stop
browser-stop-looking-for-plugins = Stop looking for plugins
browser-plugins-could-not-be-looked-for = Plugins could not be looked for: { $problem }.
browser-try-again = Try again
browser-look-for-plugins-again = Look for plugins again
browser-add-name = Add { $name }, { $byline }
browser-take-the-star-off-f = Take the star off (F)
browser-favourite-f = Favourite (F)
browser-show-again-h = Show again (H)
browser-hide-h = Hide (H)
browser-add = Add
browser-enter-or-a-click-adds = Enter or a click adds it; drag it to a place in the rack. F: favourite, H: hide.
browser-favourite = Favourite: { $name }
browser-format-of = Format of { $name }: { $format }
browser-is-here-as-clap = Is here as CLAP and as LV2: takes the other
browser-cannot-be-used = Cannot be used: { $reason }.
browser-try-again-name = Try again: { $name }
browser-looks-at-this-file-once-more = Looks at this file once more
browser-is-here-as-alone = Is here as { $format } alone. Catena hosts CLAP and LV2: its maker may offer one of them.

## Kinds of plugins

kind-instruments = Instruments
kind-effects = Effects
kind-equalizers-filters = Equalizers, filters
kind-dynamics = Dynamics
kind-delays = Delays
kind-reverbs = Reverbs
kind-modulation = Modulation
kind-distortion-amps = Distortion, amps
kind-pitch = Pitch
kind-stereo-space = Stereo, space
kind-meters-analysers = Meters, analysers
kind-midi = MIDI
kind-tools = Tools

## Fields

controls-name-of = Name of { $title }

## The export dialog

export-preset-for-lv2-hosts = Preset for LV2 hosts
export-ardour-jalv-and-every-lv2-host = Ardour, jalv and every LV2 host list it with the presets of Catena.
export-preset-for-clap-hosts = Preset for CLAP hosts
export-it-is-a-chain-of-the-library = It is a chain of the library, which CLAP hosts list.
export-preset-for-vst3-hosts = Preset for VST3 hosts
export-vst3-hosts-list-it = VST3 hosts list it with the presets of Catena.
export-plugin-of-its-own = Plugin of its own
export-clap-and-lv2-hosts-list-it = CLAP and LV2 hosts list it beside other plugins; its mapped macros are its parameters.
export-chain-in-one-file = Chain in one file
export-with-all-states-and-samples = With all states and samples in it.
export-chain-as-a-folder = Chain as a folder
export-it-goes-well-with-version-control = It goes well with version control.
export-export-this-chain = Export this chain
export-what = What
export-what-to-make-of-the-chain = What to make of the chain
export-called = Called
export-as-the-chain = As the chain
export-folder = Folder
export-where-hosts-look-for = Where hosts look for it
export-large-samples-lie-beside = Large samples lie beside it
export-replace-what-is-there = Replace what is there
export-export = Export
export-make-the-export = Make the export
export-close = Close
export-close-the-export-dialog = Close the export dialog
export-exporting = Exporting
export-maker = Maker
export-catena = Catena
export-id = Id
export-made-of-the-name = Made of the name
export-listed-as = Listed as
export-as-what-it-is = as what it is
export-where-hosts-list-it = Where hosts list it
export-ports = Ports
export-as-the-chains-first-plugin = as the chain's first plugin
export-stereo-effect = stereo effect
export-mono-effect = mono effect
export-eight-channels = eight channels
export-instrument = instrument
export-which-ports-it-has = Which ports it has
export-for-computers-without-catena = For computers without Catena
export-puts-the-engine-beside-it-its = Puts the engine beside it; its plugins must be installed there all the same
export-without-event-ports-in-lv2 = Without event ports in LV2
export-for-tools-that-know-audio-alone = For tools that know audio alone: its plugins hear neither MIDI nor the tempo
export-other-parameters-under-the-same-id = Other parameters under the same id
export-sessions-that-know-it-may-find = Sessions that know it may find its automation elsewhere

## Above the rack

header-chain = Chain
header-bypass-chain = Bypass chain
header-lets-sound-pass-every-slot = Lets sound pass every slot unchanged, at the same latency
header-panic = Panic
header-panic-why = Ends every note and every echo; changes no setting
header-hold-why = Edits that would change the latency wait until the DAW's transport stops: it makes a gap where one changes
header-hold = Hold
header-macros = Macros
header-macros-why = Knobs that move what you map to them; the DAW automates them
header-guard-muted = Muted: the output was above +18 dBFS for 20 ms.
header-reopen = Reopen
header-lets-the-chain-sound-again = Lets the chain sound again
header-waits-for-the-stop = Waits for the stop: { $change }
header-now = Now
header-the-daw-may-make-a-short = The DAW may make a short gap
header-the-chain-is-bypassed-sound-passes = The chain is bypassed: sound passes unchanged.
header-copy = Copy
header-copy-the-chain = Copy the chain
header-all-slots-and-lanes-for-another = All slots and lanes, for another chain: there Ctrl+V in the rack
header-unnamed = Unnamed
header-touch-a-control = Touch a control…
header-learn = Learn
header-learn-the-next-free-macro = Learn the next free macro
header-maps-the-first-free-macro = Maps the first free macro to what you touch next, here or in a plugin's own window
header-undo = Undo
header-redo = Redo
header-nothing-to-undo = There is nothing to undo
header-nothing-to-redo = There is nothing to redo
header-history = History
header-history-why = All steps; click one to go back or forth to it
header-latency = Latency { $latency }
header-daw-was-told = The DAW was told { $latency }
header-daw-was-told-why = The DAW has not asked for the new latency yet: until it does, most do at the next stop, this track is not lined up with the others.
header-latency-why = What Catena tells the DAW, so that it can line the tracks up. Click to copy the samples.
header-lufs = { $lufs } LUFS
header-silent = silent
header-lufs-why = How loud the chain is: the last 3 s, by ITU-R BS.1770
header-load = Load { $share } %
header-load-why = How much of each block's own time the chain takes on the audio thread
header-nothing-was-changed-yet = Nothing was changed yet
header-as-it-was-at-the-beginning = As it was at the beginning
header-snapshot = Snapshot { $letter }
header-recalls-snapshot-with-shift-held = Recalls snapshot { $letter }; with Shift held, stores the chain in it
header-stores-the-chain-as-snapshot = Stores the chain as snapshot { $letter }
header-getting-ready = getting { $letter } ready

## What cannot be done

host-this-program-has-none = this program has none
host-this-cannot-be-done-from-here = this cannot be done from here

## Lanes

lane-the-longest = { $latency }, the longest
lane-its-latency-the-other-lanes-wait = Its latency: the other lanes wait for this one
lane-its-latency = Its latency
lane-add-lane = Add lane
lane-add-a-lane = Add a lane to { $title }
lane-a-parallel-lane-silent-until = A parallel lane, silent until it holds a plugin (L)
lane-more-of = More of { $title }
lane-lanes-number = Lanes { $number }: { $title }
lane-level = Level
lane-sets-each-lane-that-sounds = Sets each lane that sounds to its share, so that the sum is not louder
lane-move-up = Move up
lane-alt-up = Alt+Up
lane-move-down = Move down
lane-alt-down = Alt+Down
lane-dissolve = Dissolve
lane-what-the-lanes-hold-stands = What the lanes hold stands in series in their place
lane-remove-with-all-plugins = Remove with all plugins
lane-delete = Delete
lane-copy = Copy
lane-mid-side = Mid/side
lane-left-right = Left/right
lane-bands = { $count } bands
lane-split-of = Split of { $title }
lane-where-bands-meet = Where bands { $first } and { $second } meet
lane-not-heard = , not heard
lane-lane-number = Lane { $number }: { $title }{ $heard }
lane-gain-of = Gain of { $title }
lane-gain = Gain
lane-pan-of = Pan of { $title }
lane-pan = Pan
lane-delay-of = Delay of { $title }
lane-delay = Delay
lane-m = M
lane-mute = Mute { $title }
lane-the-lane-is-not-heard = The lane is not heard
lane-s = S
lane-solo = Solo { $title }
lane-the-lane-is-heard-alone = The lane is heard alone, with the others that are
lane-while-it-holds-nothing-sound = While it holds nothing, sound passes through it; else it is silent
lane-pass-sound-while-empty = Pass sound while empty
lane-colour = Colour { $number }
lane-none = None
lane-remove-lane = Remove lane
lane-this-split-has-as-many-lanes = This split has as many lanes as it needs
lane-with-all-plugins-in-it-delete = With all plugins in it (Delete)
lane-empty-passes = Nothing in this lane yet: sound passes through it. Drop a slot here.
lane-empty-is-silent = Nothing in this lane yet: it is silent. Drop a slot here, or select the lane and add a plugin.

## The page Library: chains

library-opening = Opening
library-there-is-a-chain = There is a chain of that name: { $path }
library-save-as = Save as
library-name = Name
library-tags = Tags
library-vocal-bus = vocal, bus
library-replace = Replace
library-puts-this-chain-in-the-place = Puts this chain in the place of the one that is kept under that name
library-save = Save
library-keeps-the-chain = Keeps the chain as it is now in the library, where CLAP hosts list it, too
library-save-this-chain-in-the-library = Save this chain in the library
library-saving = Saving
library-open-or-import = Open or import
library-rack-carxp = ~/rack.carxp
library-a-chain-file-a-project = A chain file, a project of Carla, a pedalboard of MOD or LV2 presets, by its path. A file that is dropped here is opened, too. It takes the place of this chain; undo brings that back.
library-open = Open
library-open-this-file = Open this file
library-export = Export…
library-export-this-chain = Export this chain
library-presets-for-other-hosts-a-plugin = Presets for other hosts, a plugin of its own, a file
library-find-a-chain = Find a chain
library-name-tag-author-or-plugin = Name, tag, author or plugin
library-favourites = Favourites
library-only-favourites = Only favourites
library-those-that-you-want-at-hand = Those that you want at hand
library-only-chains-tagged = Only chains tagged { $tag }
library-another-click-shows-all-again = Another click shows all again
library-looking-for-chains = Looking for chains
library-no-chain-is-kept-yet = No chain is kept yet.
library-all-chains = { $all ->
    [one] 1 chain
   *[other] { $all } chains
}
library-found-of-all-chains = { $all ->
    [one] { $found } of 1 chain
   *[other] { $found } of { $all } chains
}
library-loading = Loading
library-favourite = favourite
library-comes-with-catena = comes with Catena
library-cannot-be-read-whole = cannot be read whole: { $problem }
library-chain = Chain { $name }, { $byline }
library-path-and-how-to-load =
    { $path }
    A double click, or Enter, loads it
library-by = By
library-terms = Terms
library-notes = Notes
library-plugins = Plugins
library-puts-it-in-the-place = Puts it in the place of this chain. What sounds goes on until it is ready; undo brings it back.
library-load = Load
library-load-name = Load { $name }
library-no-favourite = No favourite
library-make-favourite = Favourite
library-is-no-favourite = { $name } is a favourite no more
library-is-a-favourite = { $name } is a favourite from now on
library-it-comes-with-catena-save = It comes with Catena; save it under a name of yours to change it.
library-edit = Edit
library-edit-what-says-of-itself = Edit what { $name } says of itself
library-delete = Delete
library-delete-name = Delete { $name }
library-delete-its-file-is-gone-then = Delete “{ $name }”? Its file is gone then.
library-delete-it = Delete it
library-deleting = Deleting
library-keep-it = Keep it
library-tags-of-it = Tags of it
library-authors = Authors
library-licence = Licence
library-save-what-the-chain-says = Save what the chain says of itself
library-cancel = Cancel

## The page of macros

macros-page-of-macros = Page of macros
macros-click-a-knob-then-learn-then = Click a knob, then Learn, then touch what it is to move.
macros-macro = Macro { $number }
macros-macro-number-label = Macro { $number }: { $label }
macros-name-of-macro = Name of macro { $number }
macros-touch-a-control = Touch a control…
macros-learn = Learn
macros-learn-macro = Learn macro { $number }
macros-maps-it-to-what-you-touch = Maps it to what you touch next, here or in a plugin's own window
macros-clear = Clear
macros-clear-macro = Clear macro { $number }
macros-moves-nothing-any-more = Moves nothing any more
macros-page = { $first } to { $last }
macros-end-of = { $end } of { $title }
macros-from = From
macros-to = To
macros-turned-round = Turned round
macros-turn-round = Turn { $title } round
macros-moves-the-other-way = Moves the other way
macros-let-go = Let go
macros-let-go-title = Let go of { $title }

## Levels

meters-levels-of = Levels of { $title }: { $levels }
meters-click-to-reset =
    { $levels }
    Click to reset

## Names of what has none

outline-lanes = { $count ->
    [one] 1 lane
   *[other] { $count } parallel lanes
}

## Parameters

params-this-plugin-has-nothing-to-set = This plugin has nothing to set here.
params-search-parameters = Search parameters
params-no-parameter-is-called-so = No parameter is called so.
params-others = Others
params-range =
    { $name }
    { $min } to { $max }, { $default } at first; a double click brings that back
params-on = on
params-off = off

## The page Plugin

plugin-choose-a-slot-in-the-rack = Choose a slot in the rack: what it has to set is shown here.
plugin-try-again = Try again
plugin-parameters = Parameters
plugin-the-plugins-parameters-as-a-list = The plugin's parameters as a list
plugin-own-window = Own window
plugin-the-plugins-own-window-here = The plugin's own window, here
plugin-opening-its-window = Opening its window…
plugin-pop-out = Pop out
plugin-pop-out-the-window = Pop out the window of { $title }
plugin-makes-it-a-window-by-itself = Makes it a window by itself (E)
plugin-put-back = Put back
plugin-put-back-the-window = Put back the window of { $title }
plugin-shows-it-here-again-e = Shows it here again (E)
plugin-close-window = Close window
plugin-close-the-window = Close the window of { $title }
plugin-open-window = Open window
plugin-open-the-window = Open the window of { $title }
plugin-this-plugins-window-floats-by = This plugin's window floats by itself (E)
plugin-its-window-floats-beside = Its window floats beside the editor.
plugin-its-window-cannot-be-shown = Its window cannot be shown: { $why }

## The page Presets

presets-choose-a-slot-in-the-rack = Choose a slot in the rack: its plugin's presets are shown here.
presets-presets-of = Presets of { $title }
presets-working = Working
presets-there-is-a-preset = There is a preset of that name: { $path }
presets-save-as = Save as
presets-name = Name
presets-save = Save
presets-save-as-a-preset = Save { $title } as a preset
presets-keeps-it-for-lv2-hosts = Keeps the plugin as it is now as an LV2 preset, which Ardour and others list, too
presets-keeps-it-for-catena = Keeps the plugin as it is now as a preset of Catena's
presets-begin-like-this = Begin { $title } like this
presets-wherever-this-plugin-is-added-from = Wherever this plugin is added from now on it begins as it is here
presets-save-as-my-default = Save as my default
presets-forget-my-default = Forget my default
presets-begin-as-it-is-made = Begin { $title } as it is made
presets-listens-for-3-s-then-sets = Listens for 3 s, then sets the slot's output gain so that it is as loud as what goes into it
presets-match-the-loudness-of-this = Match the loudness of this { $title }
presets-match-loudness = Match loudness
presets-replace-question = Replace it?
presets-replace = Replace
presets-delete-question = Delete “{ $name }”?
presets-delete-it = Delete it
presets-new-name = New name of “{ $name }”
presets-rename-it = Rename it
presets-cancel = Cancel
presets-find-a-preset = Find a preset
presets-name-factory-or-own = Name, factory or own
presets-looking-for-presets = Looking for presets
presets-all-presets = { $found ->
    [one] 1 preset. Arrows and Enter load it.
   *[other] { $found } presets. Arrows and Enter load one.
}
presets-found-of-all-presets = { $all ->
    [one] { $found } of 1 preset. Arrows and Enter load one.
   *[other] { $found } of { $all } presets. Arrows and Enter load one.
}
presets-rename = Rename
presets-rename-name = Rename { $name }
presets-delete = Delete
presets-delete-name = Delete { $name }
presets-load-name = Load { $name }, { $whose }
presets-factory = factory
presets-own = own

## The rack

rack-add-a-plugin = + Add a plugin
rack-add-at-the-end = Add at the end
rack-finds-a-plugin-and-puts = Finds a plugin and puts it in at the end of the chain
rack-rack-without-a-plugin = Rack without a plugin
rack-this-chain-is-empty = This chain is empty
rack-sound-passes-unchanged-until-you = Sound passes unchanged until you add a plugin.
rack-no-plugins-have-been-found = No plugins have been found on this computer yet.
rack-they-are-looked-for = They are looked for under “Find”, and appear there as soon as that is done.
rack-settings-has-the-folders = Settings has the folders that are searched.
rack-type-part-of-a-name-under = Type part of a name under “Find a plugin” and press Enter.
rack-sound-runs-from-the-top-slot = Sound runs from the top slot to the bottom one.
rack-add-the-first-plugin = Add the first plugin

## A report of a problem

report-writes-what-is-installed = Writes what is installed, what is wrong and the last lines of the log into a file; sends nothing
report-report-a-problem = Report a problem
report-being-written = Being written…
report-the-report-is-in = The report is in { $path }
report-copy-the-path = Copy the path
report-copy-the-reports-path = Copy the report's path
report-read-it-through-and-add = Read it through, and add it to what you tell.
report-no-report-could-be-written = No report could be written: { $why }. In a terminal: catena doctor --report

## The page Settings

settings-this-chain = This chain
settings-kept-with-the-chain = Kept with the chain.
settings-look = Look
settings-kept-on-this-computer-as-all = Kept on this computer, as all that follows.
settings-meters = Meters
settings-plugins = Plugins
settings-help = Help
settings-where-there-are-both = Where there are both
settings-format-where-there-are-both = Format where there are both
settings-folders-that-are-searched-beside = Folders that are searched beside the usual ones:
settings-remove = Remove
settings-remove-folder = Remove folder { $folder }
settings-none = none
settings-look-at-all-plugins-again = Look at all plugins again
settings-those-that-could-not-be-used = Those that could not be used too; the others stay usable meanwhile
settings-done-of-total = { $done } of { $total }
settings-stop = Stop
settings-stop-looking-for-plugins = Stop looking for plugins
settings-format-of-the-folder = Format of the folder
settings-folder-of-plugins = /folder/of/plugins
settings-folder-to-search = Folder to search
settings-add = Add
settings-add-folder = Add folder
settings-a-folder-from-the-root-home = A folder from the root: /home/me/plugins, or ~/plugins
settings-as-long-as-it-is = As long as it is
settings-always-the-same = Always the same
settings-none-told-for-playing-live = None told, for playing live
settings-latency = Latency
settings-latency-that-the-daw-is-told = Latency that the DAW is told
settings-constant-latency = Constant latency
settings-the-daw-is-told = The DAW is told what the chain delays, and lines the tracks up.
settings-plugins-come-and-go-without = Plugins come and go without a change for the DAW; what they lack is filled up.
settings-the-daw-is-told-nothing = The DAW is told nothing and does not line this track up.
settings-parallel-lanes-and-plugins = Parallel lanes, and plugins that ask for it, are worked on side by side where that is faster
settings-use-several-cores = Use several cores
settings-nothing-in-this-chain-is-worth = Nothing in this chain is worth sharing out at present.
settings-pieces-of-work-side-by-side = { $items } pieces of work side by side, on up to { $threads } cores.
settings-late-waits = { $late } late waits
settings-the-sound-waited-for-another-core = So often the audio thread waited for another core longer than its own share of the work took
settings-dark = Dark
settings-light = Light
settings-high-contrast = High contrast
settings-colours = Colours
settings-as-the-daw-says = As the DAW says
settings-size = Size
settings-hold-peaks = Hold peaks
settings-a-line-at-the-highest-peak = A line at the highest peak of the last 2 s
settings-shows-how-loud-the-chain = Shows how loud the chain is (LUFS) at the top; costs a little time
settings-loudness = Loudness

## A slot

slot-keys =
    Drag it to move it. Keys: Enter shows it, B bypass, E window, R replace, M mute, S solo, Ctrl+D a copy,
    P in parallel, Delete removes, Alt and the arrows move it, also into lanes and out.
    Shift or Ctrl with a click or the arrows chooses more of them.
slot-slot-number = Slot { $number }: { $title }, { $status }
slot-opening = opening…
slot-latency = latency { $latency }
slot-latency-longest = latency { $latency }, on the longest path
slot-bypassed = bypassed
slot-of-the-block = { $share } % of the block
slot-add-after = Add after { $title }
slot-finds-a-plugin-and-puts = Finds a plugin and puts it in behind this slot
slot-remove = Remove { $title }
slot-removes-it-delete = Removes it (Delete)
slot-move-down = Move { $title } down
slot-move-up = Move { $title } up
slot-moves-it-down = Moves it down (Alt+Down)
slot-moves-it-up = Moves it up (Alt+Up)
slot-replace = Replace
slot-replace-title = Replace { $title }
slot-finds-another-plugin-for-this = Finds another plugin for this place; routing and settings stay (R)
slot-bypass = Bypass
slot-bypass-title = Bypass { $title }
slot-window = Window
slot-window-of = Window of { $title }
slot-it-is-here-as = It is here as { $format }: { $plugin }.
slot-use-it = Use it
slot-use-format = Use { $format }: { $title }
slot-not-the-one-that-was-saved = This plugin is not the one that was saved: { $what }.
slot-take-it = Take it
slot-take-it-title = Take it: { $title }
slot-close-it = Close it
slot-close-it-title = Close it: { $title }

## Tabs

stage-find = Find
stage-all-plugins-of-this-computer-ctrl = All plugins of this computer (Ctrl+F)
stage-plugin = Plugin
stage-the-selected-slots-own-window-or = The selected slot's own window, or its parameters (Enter)
stage-presets = Presets
stage-the-presets-of-the-selected-slots = The presets of the selected slot's plugin
stage-library = Library
stage-chains-that-are-kept-on-this = Chains that are kept on this computer
stage-settings = Settings
stage-latency-look-meters-and-folders = Latency, look, meters and folders of plugins

## A slot's strip: what is under More

strip-parameters = Parameters ({ $count })
strip-parameters-of = Parameters of { $title }
strip-mix = Mix
strip-mix-of = Mix of { $title }
strip-input-gain = Input gain of { $title }
strip-in = In
strip-output-gain = Output gain of { $title }
strip-out = Out
strip-pan-of = Pan of { $title }
strip-pan = Pan
strip-more = More
strip-more-of = More of { $title }
strip-sound = Sound
strip-both-channels-are-the-mean = Both channels are the mean of both
strip-mono = Mono
strip-mono-title = Mono { $title }
strip-loudness = Loudness
strip-sidechain = Sidechain
strip-midi-from = MIDI from
strip-oversampling = Oversampling
strip-if-it-fails = If it fails
strip-rests = Rests
strip-lanes = Lanes
strip-name = Name
strip-macros = Macros
strip-m = M
strip-mute = Mute
strip-nothing-comes-out-of-the-slot = Nothing comes out of the slot (M)
strip-s = S
strip-solo = Solo
strip-passes-by-what-stands-beside = Passes by what stands beside it (S)
strip-delta-sign = Δ
strip-delta = Delta
strip-only-what-the-slot-changes = Only what the slot changes is heard
strip-normal = Normal
strip-left-turned = Left turned
strip-right-turned = Right turned
strip-both-turned = Both turned
strip-phase-of = Phase of { $title }
strip-match = Match
strip-match-the-loudness = Match the loudness of { $title }
strip-listens-for-3-s-then-sets = Listens for 3 s, then sets the output gain so that the plugin is as loud as what goes into it
strip-listening-of-3-s = listening, { $seconds } of 3 s
strip-set-to = set to { $gain }
strip-what-the-daw-sends = What the DAW sends
strip-what-comes-into-the-chain = What comes into the chain
strip-nothing = Nothing
strip-something-that-is-not-before = Something that is not before it
strip-sidechain-of = Sidechain of { $title }
strip-the-slots-before = The slots before it
strip-the-daw = The DAW
strip-the-daw-and-the-slots-before = The DAW and the slots before it
strip-midi-of = MIDI of { $title }
strip-none = None
strip-times-the-rate = { $factor } times the rate
strip-oversampling-of = Oversampling of { $title }
strip-sound-passes-it-unchanged = Sound passes it unchanged
strip-the-slot-is-silent = The slot is silent
strip-the-whole-chain-is-silent = The whole chain is silent
strip-if-fails = If { $title } fails
strip-the-plugin-is-not-run-while = The plugin is not run while the slot is bypassed, and begins afresh then
strip-in-bypass = In bypass
strip-rest-in-bypass = Rest { $title } in bypass
strip-the-plugin-is-not-run-once = The plugin is not run once it has rung out and nothing comes in
strip-in-silence = In silence
strip-rest-in-silence = Rest { $title } in silence
strip-put-in-parallel = Put in parallel
strip-put-in-parallel-title = Put { $title } in parallel
strip-with-an-empty-lane-beside = With an empty lane beside it (P)
strip-into-lanes = Into lanes
strip-move-into-lanes = Move { $title } into lanes
strip-into-the-lanes-beside-it-alt = Into the lanes beside it (Alt+Right)
strip-out-of-lanes = Out of lanes
strip-move-out-of-lanes = Move { $title } out of lanes
strip-behind-the-lanes-alt-left = Behind the lanes (Alt+Left)
strip-map-of-to-macros = Map { $name } of { $title } to macros
strip-maps-this-page-of-the-plugin = Maps this page of the plugin to the first eight macros that are free
strip-mark-left-turned = left turned
strip-mark-right-turned = right turned
strip-mark-phase-turned = phase turned
strip-mark-midi-daw = MIDI from the DAW
strip-mark-midi-both = MIDI from the DAW and the slots before it
strip-mark-no-midi = no MIDI
strip-mark-side-nothing = sidechain hears nothing
strip-mark-side-input = sidechain hears what comes into the chain
strip-mark-side-silent = sidechain is silent
strip-mark-side-hears = sidechain hears { $title }
strip-mark-oversampled = { $oversample } times oversampled
strip-mark-muted = muted
strip-mark-solo = solo
strip-mark-passed-by = passed by: another slot is soloed
strip-mark-delta = only what it changes
strip-mark-mono = mono
strip-mark-midi-filtered = MIDI is filtered
strip-mark-rests = rests

## Numbers that are turned

value-how-to-turn =
    Drag, wheel or arrow keys; Shift is finer.
    Double-click resets, Enter lets you type.

## Latencies, levels, states of a slot

words-bypass-why = Lets sound pass this slot unchanged, at the same latency (B)
words-window-why = Makes the plugin's own window float, or takes it back (E)
words-window-needs = Its own window needs { $what }; its parameters are in the list here.
words-samples = { $count ->
    [one] 1 sample
   *[other] { $count } samples
}
words-latency = { $samples } ({ $ms } ms)
words-peak = { $peak } dBFS
words-silent = silent
words-levels = in { $input }, out { $output }
words-levels-clips = { $levels }, { $clips }
words-clips = { $count ->
    [one] 1 sample over 0 dBFS
   *[other] { $count } samples over 0 dBFS
}
words-bypassed = bypassed
words-running = running
words-opening = opening
words-not-installed = not installed
words-kept-closed = kept closed
words-stopped = stopped
words-missing = This plugin is not installed ({ $plugin }). Its settings are kept, and sound passes by unchanged.
words-missing-install = { words-missing } To install it, in a terminal: sudo { $command }
words-look-again = Look again
words-kept-closed-why = Kept closed: { $why }
words-open-it = Open it
words-stopped-why = Stopped: { $why } Sound passes by unchanged.
words-try-again = Try again

## Units

unit-percent = { $value } %
unit-decibels = { $value } dB
unit-hertz = { $value } Hz
unit-sample = 1 sample
unit-samples = { $value } samples
unit-ms = { $value } ms
unit-left = L { $percent }
unit-centre = C
unit-right = R { $percent }
unit-own = { $value } { $unit }
