//! Turtle of the LV2 fixtures: what their bundles say of each.

/// Prefixes that every file begins with.
pub(super) const PREFIXES: &str = "\
@prefix atom: <http://lv2plug.in/ns/ext/atom#> .
@prefix bufsz: <http://lv2plug.in/ns/ext/buf-size#> .
@prefix doap: <http://usefulinc.com/ns/doap#> .
@prefix lv2: <http://lv2plug.in/ns/lv2core#> .
@prefix midi: <http://lv2plug.in/ns/ext/midi#> .
@prefix opts: <http://lv2plug.in/ns/ext/options#> .
@prefix patch: <http://lv2plug.in/ns/ext/patch#> .
@prefix pg: <http://lv2plug.in/ns/ext/port-groups#> .
@prefix pprops: <http://lv2plug.in/ns/ext/port-props#> .
@prefix pset: <http://lv2plug.in/ns/ext/presets#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rsz: <http://lv2plug.in/ns/ext/resize-port#> .
@prefix state: <http://lv2plug.in/ns/ext/state#> .
@prefix time: <http://lv2plug.in/ns/ext/time#> .
@prefix ui: <http://lv2plug.in/ns/extensions/ui#> .
@prefix units: <http://lv2plug.in/ns/extensions/units#> .
@prefix urid: <http://lv2plug.in/ns/ext/urid#> .
@prefix work: <http://lv2plug.in/ns/ext/worker#> .
";

/// Names the preset of `gain`.
pub(super) const PRESET_MANIFEST: &str = "
<urn:catena-fixture:gain#loud> a pset:Preset ; lv2:appliesTo <urn:catena-fixture:gain> ; rdfs:seeAlso <loud.ttl> .
";

/// The preset itself.
pub(super) const PRESET_LOUD: &str = "
<urn:catena-fixture:gain#loud> a pset:Preset ; lv2:appliesTo <urn:catena-fixture:gain> ;
 rdfs:label \"Größer\" ;
 lv2:port [ lv2:symbol \"gain\" ; pset:value 1.75 ] .
";

macro_rules! port {
    ($index:literal, $direction:literal, $kind:literal, $symbol:literal, $more:literal) => {
        concat!(
            " lv2:port [ a lv2:",
            $direction,
            "Port , ",
            $kind,
            " ; lv2:index ",
            $index,
            " ; lv2:symbol \"",
            $symbol,
            "\" ; lv2:name \"",
            $symbol,
            "\" ",
            $more,
            " ] ;\n"
        )
    };
    ($index:literal, in $symbol:literal) => {
        port!($index, "Input", "lv2:AudioPort", $symbol, "")
    };
    ($index:literal, out $symbol:literal) => {
        port!($index, "Output", "lv2:AudioPort", $symbol, "")
    };
    ($index:literal, control $symbol:literal, $more:literal) => {
        port!($index, "Input", "lv2:ControlPort", $symbol, $more)
    };
    ($index:literal, told $symbol:literal) => {
        port!($index, "Output", "lv2:ControlPort", $symbol, "")
    };
}

/// One channel through, a parameter after it.
macro_rules! through {
    ($more:expr) => {
        concat!(port!(0, in "in"), port!(1, out "out"), $more, ".\n")
    };
}

const LATENCY: &str =
    " lv2:port [ a lv2:OutputPort , lv2:ControlPort ; lv2:index 2 ; lv2:symbol \"latency\" ; lv2:name \"Latency\" ;
 lv2:portProperty lv2:reportsLatency , lv2:integer ; lv2:designation lv2:latency ] ";

const NUMBER_STATE: &str = " lv2:extensionData state:interface ;
 lv2:port [ a lv2:InputPort , lv2:ControlPort ; lv2:index 0 ; lv2:symbol \"set\" ; lv2:name \"Set\" ; lv2:default 0 ; lv2:minimum 0 ; lv2:maximum 1000000 ] ,
 [ a lv2:OutputPort , lv2:ControlPort ; lv2:index 1 ; lv2:symbol \"is\" ; lv2:name \"Is\" ] .
";

const RECORDER: &str = concat!(
    port!(0, out "value"),
    port!(1, out "length"),
    port!(2, control "level", "; lv2:default 0 ; lv2:minimum -1000 ; lv2:maximum 1000"),
    ".\n"
);

const BLOCKS: &str = through!("");

/// Name and Turtle of every fixture, after what all have.
pub(super) const FIXTURES: &[(&str, &str)] = &[
    (
        "gain",
        concat!(
            port!(0, in "in_l"),
            port!(1, in "in_r"),
            port!(2, out "out_l"),
            port!(3, out "out_r"),
            port!(
                4,
                control "gain",
                "; lv2:default 1 ; lv2:minimum 0 ; lv2:maximum 2 ; lv2:portProperty pprops:hasStrictBounds ;
            pg:group <urn:catena-fixture:gain#group> ; units:unit units:coef"
            ),
            ".\n<urn:catena-fixture:gain#group> a pg:InputGroup ; lv2:name \"Level\" ; lv2:symbol \"level\" .\n"
        ),
    ),
    ("delay", ""),
    ("latency-change", ""),
    ("mono", through!("")),
    (
        "sidechain",
        concat!(
            port!(0, in "in_l"),
            port!(1, in "in_r"),
            port!(2, "Input", "lv2:AudioPort", "sc_l", "; lv2:portProperty lv2:isSideChain"),
            port!(3, "Input", "lv2:AudioPort", "sc_r", "; lv2:portProperty lv2:isSideChain"),
            port!(4, out "out_l"),
            port!(5, out "out_r"),
            ".\n"
        ),
    ),
    ("feedback-delay", through!("")),
    ("cv", concat!(port!(0, "Input", "lv2:CVPort", "in", ""), port!(1, "Output", "lv2:CVPort", "out", ""), ".\n")),
    (
        "enabled",
        through!(port!(
            2,
            control "enabled",
            "; lv2:default 1 ; lv2:minimum 0 ; lv2:maximum 1 ; lv2:portProperty lv2:toggled ; lv2:designation lv2:enabled"
        )),
    ),
    (
        "free-wheeling",
        concat!(
            port!(
                0,
                control "free",
                "; lv2:default 0 ; lv2:minimum 0 ; lv2:maximum 1 ; lv2:portProperty lv2:toggled ;
            lv2:designation lv2:freeWheeling"
            ),
            port!(1, told "told"),
            port!(2, out "out"),
            ".\n"
        ),
    ),
    (
        "rate-range",
        concat!(
            port!(
                0,
                control "hz",
                "; lv2:default 0.1 ; lv2:minimum 0.001 ; lv2:maximum 0.5 ; lv2:portProperty lv2:sampleRate ; units:unit units:hz"
            ),
            port!(1, told "told"),
            ".\n"
        ),
    ),
    (
        "optional",
        concat!(
            port!(0, "Input", "<urn:catena-fixture:NoSuchPort>", "odd", "; lv2:portProperty lv2:connectionOptional"),
            port!(1, told "null"),
            ".\n"
        ),
    ),
    ("recorder", RECORDER),
    ("coarse-recorder", ""),
    (
        "instrument",
        concat!(
            " lv2:requiredFeature urid:map ;\n",
            port!(
                0,
                "Input",
                "atom:AtomPort",
                "midi",
                "; atom:bufferType atom:Sequence ; atom:supports midi:MidiEvent ; lv2:designation lv2:control"
            ),
            port!(1, out "out_l"),
            port!(2, out "out_r"),
            ".\n"
        ),
    ),
    (
        "note-echo",
        concat!(
            " lv2:requiredFeature urid:map ;\n",
            port!(0, "Input", "atom:AtomPort", "in", "; atom:bufferType atom:Sequence ; atom:supports midi:MidiEvent"),
            port!(
                1,
                "Output",
                "atom:AtomPort",
                "out",
                "; atom:bufferType atom:Sequence ; atom:supports midi:MidiEvent"
            ),
            ".\n"
        ),
    ),
    (
        "patch",
        concat!(
            " lv2:requiredFeature urid:map ; patch:writable <urn:catena-fixture:patch#level> ;\n",
            port!(
                0,
                "Input",
                "atom:AtomPort",
                "control",
                "; atom:bufferType atom:Sequence ; atom:supports patch:Message ; lv2:designation lv2:control"
            ),
            port!(
                1,
                "Output",
                "atom:AtomPort",
                "notify",
                "; atom:bufferType atom:Sequence ; atom:supports patch:Message"
            ),
            port!(2, out "out"),
            ".\n<urn:catena-fixture:patch#level> a lv2:Parameter ; rdfs:label \"Level\" ; rdfs:range atom:Float ;
 lv2:default 0.5 ; lv2:minimum 0.0 ; lv2:maximum 1.0 ; units:unit units:db .\n"
        ),
    ),
    (
        "time-recorder",
        concat!(
            " lv2:requiredFeature urid:map ;\n",
            port!(
                0,
                "Input",
                "atom:AtomPort",
                "control",
                "; atom:bufferType atom:Sequence ; atom:supports time:Position ; lv2:designation lv2:control"
            ),
            port!(1, told "count"),
            port!(2, told "frame"),
            port!(3, told "speed"),
            port!(4, told "bpm"),
            port!(5, told "bar_beat"),
            port!(6, told "beats_per_bar"),
            port!(7, told "beat_unit"),
            port!(8, told "bar"),
            port!(9, told "beat"),
            ".\n"
        ),
    ),
    (
        "big-buffer",
        concat!(
            port!(0, "Output", "atom:AtomPort", "out", "; atom:bufferType atom:Sequence ; rsz:minimumSize 4194304"),
            port!(1, told "room"),
            ".\n"
        ),
    ),
    ("needs-unknown", through!(" lv2:requiredFeature <urn:catena-fixture:no-such-feature> ;\n")),
    ("demanding", through!(
            " lv2:requiredFeature urid:map , urid:unmap , opts:options , <http://lv2plug.in/ns/ext/log#log> , state:mapPath ,
  state:makePath , state:freePath , state:loadDefaultState , state:threadSafeRestore , lv2:isLive , lv2:inPlaceBroken ,
  lv2:hardRTCapable , bufsz:boundedBlockLength , bufsz:coarseBlockLength ;\n"
        )),
    ("bounded", ""),
    ("fixed", ""),
    ("power-of-2", ""),
    ("coarse", ""),
    ("crash-open", through!("")),
    ("hang-open", through!("")),
    (
        "crash-run",
        through!(
            port!(2, control "crash", "; lv2:default 0 ; lv2:minimum 0 ; lv2:maximum 1 ; lv2:portProperty lv2:toggled")
        ),
    ),
    (
        "hang",
        through!(
            port!(2, control "hang", "; lv2:default 0 ; lv2:minimum 0 ; lv2:maximum 1 ; lv2:portProperty lv2:toggled")
        ),
    ),
    (
        "nan",
        through!(
            port!(2, control "mode", "; lv2:default 1 ; lv2:minimum 0 ; lv2:maximum 2 ; lv2:portProperty lv2:integer")
        ),
    ),
    ("alloc", through!("")),
    ("lies", ""),
    ("locale", through!("")),
    ("state-8m", NUMBER_STATE),
    ("state-override", NUMBER_STATE),
    ("state-safe", ""),
    ("state-refuses", NUMBER_STATE),
    ("state-files", NUMBER_STATE),
    (
        "worker",
        concat!(
            " lv2:requiredFeature work:schedule ; lv2:extensionData work:interface ;\n",
            port!(0, control "ask", "; lv2:default 0 ; lv2:minimum 0 ; lv2:maximum 1000"),
            port!(1, control "bytes", "; lv2:default 8 ; lv2:minimum 8 ; lv2:maximum 614400"),
            port!(2, told "answer"),
            port!(3, told "ends"),
            port!(4, told "other_thread"),
            ".\n"
        ),
    ),
    (
        "window",
        through!(concat!(
            " ui:ui <urn:catena-fixture:window#ui> ;\n",
            port!(2, control "knob", "; lv2:default 0.25 ; lv2:minimum 0 ; lv2:maximum 1"),
            port!(3, "Input", "atom:AtomPort", "ask", "; atom:bufferType atom:Sequence"),
            port!(4, "Output", "atom:AtomPort", "answer", "; atom:bufferType atom:Sequence"),
            ".\n<urn:catena-fixture:window#ui> a ui:X11UI ; lv2:binary <fixtures.so> ;
 lv2:requiredFeature ui:parent , ui:idleInterface , <http://lv2plug.in/ns/ext/instance-access> ;
 lv2:extensionData ui:idleInterface "
        )),
    ),
];

/// Turtle of fixtures that share a part which is no literal.
pub(super) fn composed(name: &str) -> Option<String> {
    let blocks =
        |feature: &str| Some(format!(" lv2:requiredFeature bufsz:{feature} , opts:options , urid:map ;\n{BLOCKS}"));
    match name {
        "delay" => Some(format!("{DELAY}{LATENCY} .\n")),
        "latency-change" => Some(format!("{DELAY}{LATENCY} ;\n{LATENCY_FRAMES}.\n")),
        "coarse-recorder" => Some(format!(" lv2:optionalFeature bufsz:coarseBlockLength ;\n{RECORDER}")),
        "bounded" => blocks("boundedBlockLength"),
        "fixed" => blocks("fixedBlockLength"),
        "power-of-2" => blocks("powerOf2BlockLength"),
        "coarse" => blocks("coarseBlockLength"),
        "state-safe" => Some(format!(" lv2:optionalFeature state:threadSafeRestore ;\n{NUMBER_STATE}")),
        "lies" => Some(format!("{DELAY}{LATENCY} ;\n{LIES}.\n")),
        _ => None,
    }
}

const DELAY: &str = concat!(port!(0, in "in"), port!(1, out "out"));
const LATENCY_FRAMES: &str =
    port!(3, control "frames", "; lv2:default 0 ; lv2:minimum 0 ; lv2:maximum 8192 ; lv2:portProperty lv2:integer");
const LIES: &str = concat!(
    port!(3, control "upside_down", "; lv2:default 5 ; lv2:minimum 10 ; lv2:maximum -10"),
    port!(4, control "endless", "; lv2:default 0 ; lv2:minimum \"-inf\"^^<http://www.w3.org/2001/XMLSchema#double> ; lv2:maximum \"inf\"^^<http://www.w3.org/2001/XMLSchema#double>"),
    port!(5, control "nothing", "; lv2:minimum \"nan\"^^<http://www.w3.org/2001/XMLSchema#double>"),
    port!(6, "Output", "atom:AtomPort", "out", "; atom:bufferType atom:Sequence"),
);
