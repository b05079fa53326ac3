//! The URIs of LV2 and its extensions that the backend speaks of.

pub const SPECIFICATION: &str = "http://lv2plug.in/ns/lv2core#Specification";
pub const APPLIES_TO: &str = "http://lv2plug.in/ns/lv2core#appliesTo";
pub const RDF_TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
pub const URID_MAP: &str = "http://lv2plug.in/ns/ext/urid#map";
pub const URID_UNMAP: &str = "http://lv2plug.in/ns/ext/urid#unmap";
pub const OPTIONS: &str = "http://lv2plug.in/ns/ext/options#options";
pub const LOG: &str = "http://lv2plug.in/ns/ext/log#log";
pub const SCHEDULE: &str = "http://lv2plug.in/ns/ext/worker#schedule";
pub const WORKER_INTERFACE: &str = "http://lv2plug.in/ns/ext/worker#interface";
pub const STATE_INTERFACE: &str = "http://lv2plug.in/ns/ext/state#interface";
pub const STATE_STATE: &str = "http://lv2plug.in/ns/ext/state#state";
pub const MAP_PATH: &str = "http://lv2plug.in/ns/ext/state#mapPath";
pub const MAKE_PATH: &str = "http://lv2plug.in/ns/ext/state#makePath";
pub const FREE_PATH: &str = "http://lv2plug.in/ns/ext/state#freePath";
pub const LOAD_DEFAULT_STATE: &str = "http://lv2plug.in/ns/ext/state#loadDefaultState";
pub const THREAD_SAFE_RESTORE: &str = "http://lv2plug.in/ns/ext/state#threadSafeRestore";
pub const BOUNDED_BLOCK: &str = "http://lv2plug.in/ns/ext/buf-size#boundedBlockLength";
pub const FIXED_BLOCK: &str = "http://lv2plug.in/ns/ext/buf-size#fixedBlockLength";
pub const POWER_OF_2_BLOCK: &str = "http://lv2plug.in/ns/ext/buf-size#powerOf2BlockLength";
pub const COARSE_BLOCK: &str = "http://lv2plug.in/ns/ext/buf-size#coarseBlockLength";
pub const MIN_BLOCK: &str = "http://lv2plug.in/ns/ext/buf-size#minBlockLength";
pub const MAX_BLOCK: &str = "http://lv2plug.in/ns/ext/buf-size#maxBlockLength";
pub const NOMINAL_BLOCK: &str = "http://lv2plug.in/ns/ext/buf-size#nominalBlockLength";
pub const SEQUENCE_SIZE: &str = "http://lv2plug.in/ns/ext/buf-size#sequenceSize";
pub const SAMPLE_RATE_PARAM: &str = "http://lv2plug.in/ns/ext/parameters#sampleRate";
pub const IS_LIVE: &str = "http://lv2plug.in/ns/lv2core#isLive";
pub const HARD_RT: &str = "http://lv2plug.in/ns/lv2core#hardRTCapable";
pub const IN_PLACE_BROKEN: &str = "http://lv2plug.in/ns/lv2core#inPlaceBroken";
pub const REQUIRED_FEATURE: &str = "http://lv2plug.in/ns/lv2core#requiredFeature";
pub const OPTIONAL_FEATURE: &str = "http://lv2plug.in/ns/lv2core#optionalFeature";
pub const EXTENSION_DATA: &str = "http://lv2plug.in/ns/lv2core#extensionData";
pub const MINOR_VERSION: &str = "http://lv2plug.in/ns/lv2core#minorVersion";
pub const MICRO_VERSION: &str = "http://lv2plug.in/ns/lv2core#microVersion";
pub const INPUT_PORT: &str = "http://lv2plug.in/ns/lv2core#InputPort";
pub const OUTPUT_PORT: &str = "http://lv2plug.in/ns/lv2core#OutputPort";
pub const AUDIO_PORT: &str = "http://lv2plug.in/ns/lv2core#AudioPort";
pub const CV_PORT: &str = "http://lv2plug.in/ns/lv2core#CVPort";
pub const CONTROL_PORT: &str = "http://lv2plug.in/ns/lv2core#ControlPort";
pub const ATOM_PORT: &str = "http://lv2plug.in/ns/ext/atom#AtomPort";
pub const PORT_PROPERTY: &str = "http://lv2plug.in/ns/lv2core#portProperty";
pub const DESIGNATION: &str = "http://lv2plug.in/ns/lv2core#designation";
pub const CONTROL: &str = "http://lv2plug.in/ns/lv2core#control";
pub const ENABLED: &str = "http://lv2plug.in/ns/lv2core#enabled";
pub const LATENCY: &str = "http://lv2plug.in/ns/lv2core#latency";
pub const REPORTS_LATENCY: &str = "http://lv2plug.in/ns/lv2core#reportsLatency";
pub const FREE_WHEELING: &str = "http://lv2plug.in/ns/lv2core#freeWheeling";
pub const CONNECTION_OPTIONAL: &str = "http://lv2plug.in/ns/lv2core#connectionOptional";
pub const IS_SIDE_CHAIN: &str = "http://lv2plug.in/ns/lv2core#isSideChain";
pub const SAMPLE_RATE: &str = "http://lv2plug.in/ns/lv2core#sampleRate";
pub const TOGGLED: &str = "http://lv2plug.in/ns/lv2core#toggled";
pub const INTEGER: &str = "http://lv2plug.in/ns/lv2core#integer";
pub const ENUMERATION: &str = "http://lv2plug.in/ns/lv2core#enumeration";
pub const LV2_NAME: &str = "http://lv2plug.in/ns/lv2core#name";
pub const LV2_MINIMUM: &str = "http://lv2plug.in/ns/lv2core#minimum";
pub const LV2_MAXIMUM: &str = "http://lv2plug.in/ns/lv2core#maximum";
pub const LV2_DEFAULT: &str = "http://lv2plug.in/ns/lv2core#default";
pub const STRICT_BOUNDS: &str = "http://lv2plug.in/ns/ext/port-props#hasStrictBounds";
pub const LOGARITHMIC: &str = "http://lv2plug.in/ns/ext/port-props#logarithmic";
pub const NOT_AUTOMATIC: &str = "http://lv2plug.in/ns/ext/port-props#notAutomatic";
pub const EXPENSIVE: &str = "http://lv2plug.in/ns/ext/port-props#expensive";
pub const NOT_ON_GUI: &str = "http://lv2plug.in/ns/ext/port-props#notOnGUI";
pub const GROUP: &str = "http://lv2plug.in/ns/ext/port-groups#group";
pub const MAIN_INPUT: &str = "http://lv2plug.in/ns/ext/port-groups#mainInput";
pub const MAIN_OUTPUT: &str = "http://lv2plug.in/ns/ext/port-groups#mainOutput";
pub const SIDE_CHAIN_OF: &str = "http://lv2plug.in/ns/ext/port-groups#sideChainOf";
pub const MINIMUM_SIZE: &str = "http://lv2plug.in/ns/ext/resize-port#minimumSize";
pub const SUPPORTS: &str = "http://lv2plug.in/ns/ext/atom#supports";
pub const MIDI_EVENT: &str = "http://lv2plug.in/ns/ext/midi#MidiEvent";
pub const TIME_POSITION: &str = "http://lv2plug.in/ns/ext/time#Position";
pub const PATCH_MESSAGE: &str = "http://lv2plug.in/ns/ext/patch#Message";
pub const PATCH_WRITABLE: &str = "http://lv2plug.in/ns/ext/patch#writable";
pub const PRESET: &str = "http://lv2plug.in/ns/ext/presets#Preset";
pub const UNIT: &str = "http://lv2plug.in/ns/extensions/units#unit";
pub const UNIT_SYMBOL: &str = "http://lv2plug.in/ns/extensions/units#symbol";
pub const LABEL: &str = "http://www.w3.org/2000/01/rdf-schema#label";
pub const RANGE: &str = "http://www.w3.org/2000/01/rdf-schema#range";
pub const SEE_ALSO: &str = "http://www.w3.org/2000/01/rdf-schema#seeAlso";
pub const ATOM_INT: &str = "http://lv2plug.in/ns/ext/atom#Int";
pub const ATOM_FLOAT: &str = "http://lv2plug.in/ns/ext/atom#Float";
pub const ATOM: &str = "http://lv2plug.in/ns/ext/atom#";

pub const EVENT_TRANSFER: &str = "http://lv2plug.in/ns/ext/atom#eventTransfer";
pub const ATOM_TRANSFER: &str = "http://lv2plug.in/ns/ext/atom#atomTransfer";
pub const ATOM_STRING: &str = "http://lv2plug.in/ns/ext/atom#String";
pub const INSTANCE_ACCESS: &str = "http://lv2plug.in/ns/ext/instance-access";
pub const DATA_ACCESS: &str = "http://lv2plug.in/ns/ext/data-access";
pub const UI_X11: &str = "http://lv2plug.in/ns/extensions/ui#X11UI";
pub const UI_PARENT: &str = "http://lv2plug.in/ns/extensions/ui#parent";
pub const UI_RESIZE: &str = "http://lv2plug.in/ns/extensions/ui#resize";
pub const UI_IDLE: &str = "http://lv2plug.in/ns/extensions/ui#idleInterface";
pub const UI_TOUCH: &str = "http://lv2plug.in/ns/extensions/ui#touch";
pub const UI_PORT_MAP: &str = "http://lv2plug.in/ns/extensions/ui#portMap";
pub const UI_PORT_SUBSCRIBE: &str = "http://lv2plug.in/ns/extensions/ui#portSubscribe";
pub const UI_MAKE_RESIDENT: &str = "http://lv2plug.in/ns/extensions/ui#makeResident";
pub const UI_NO_USER_RESIZE: &str = "http://lv2plug.in/ns/extensions/ui#noUserResize";
pub const UI_FIXED_SIZE: &str = "http://lv2plug.in/ns/extensions/ui#fixedSize";
pub const UI_SCALE_FACTOR: &str = "http://lv2plug.in/ns/extensions/ui#scaleFactor";
pub const UI_UPDATE_RATE: &str = "http://lv2plug.in/ns/extensions/ui#updateRate";
pub const UI_WINDOW_TITLE: &str = "http://lv2plug.in/ns/extensions/ui#windowTitle";
pub const UI_FLOAT_PROTOCOL: &str = "http://lv2plug.in/ns/extensions/ui#floatProtocol";

/// A user interface that has a window of its own, as a class and as a feature, and the names of its host.
pub const UI_EXTERNAL: &str = "http://kxstudio.sf.net/ns/lv2ext/external-ui#Widget";
pub const UI_EXTERNAL_HOST: &str = "http://kxstudio.sf.net/ns/lv2ext/external-ui#Host";
pub const UI_EXTERNAL_OLD: &str = "http://lv2plug.in/ns/extensions/ui#external";

/// Features that a user interface may require of us.
pub const OFFERED_TO_UIS: [&str; 17] = [
    URID_MAP,
    URID_UNMAP,
    OPTIONS,
    LOG,
    INSTANCE_ACCESS,
    DATA_ACCESS,
    UI_PARENT,
    UI_RESIZE,
    UI_IDLE,
    UI_TOUCH,
    UI_PORT_MAP,
    UI_PORT_SUBSCRIBE,
    UI_MAKE_RESIDENT,
    UI_NO_USER_RESIZE,
    UI_FIXED_SIZE,
    // Said of a user interface by some although it is its plugin's.
    EXTENSION_DATA,
    SCHEDULE,
];

/// Features that a plugin may require of us.
pub const OFFERED: [&str; 20] = [
    URID_MAP,
    URID_UNMAP,
    OPTIONS,
    LOG,
    SCHEDULE,
    MAP_PATH,
    MAKE_PATH,
    FREE_PATH,
    LOAD_DEFAULT_STATE,
    THREAD_SAFE_RESTORE,
    BOUNDED_BLOCK,
    FIXED_BLOCK,
    POWER_OF_2_BLOCK,
    COARSE_BLOCK,
    IS_LIVE,
    HARD_RT,
    IN_PLACE_BROKEN,
    // Said by some of their plugin although they are for hosts' or user interfaces' eyes.
    EXTENSION_DATA,
    STATE_INTERFACE,
    WORKER_INTERFACE,
];
