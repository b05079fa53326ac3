//! A chain as a `.vstpreset` file (VST 3 `vstpresetfile.h`): the class that it is for, and the component's state.

/// Magic, version, class id as 32 hexadecimal digits, place of the list.
const HEAD: u64 = 4 + 4 + 32 + 8;

/// The file of `class` that holds `state`.
pub fn vst_preset(class: &[u8; 16], state: &[u8]) -> Vec<u8> {
    let id: String = class.iter().map(|byte| format!("{byte:02X}")).collect();
    let len = state.len() as u64;
    [
        &b"VST3\x01\0\0\0"[..],
        id.as_bytes(),
        &(HEAD + len).to_le_bytes(),
        state,
        b"List\x01\0\0\0Comp",
        &HEAD.to_le_bytes(),
        &len.to_le_bytes(),
    ]
    .concat()
}
