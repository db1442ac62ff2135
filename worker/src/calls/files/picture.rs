//! What a file's first bytes say it is. Its name says nothing.

/// How many bytes are enough to tell.
pub const PICTURE_HEAD_BYTES: usize = 32;

/// The media type of a picture, by its first bytes; none for all else. SVG is text.
pub fn picture_type(head: &[u8]) -> Option<&'static str> {
    const HEIC: [&[u8]; 6] = [b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"];
    let brand = head.strip_prefix(head.get(..4).unwrap_or_default()).and_then(|h| h.strip_prefix(b"ftyp"));
    match head {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        // The two reserved words of the header are zero; a text that begins with BM has none.
        [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..] => Some("image/bmp"),
        [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => Some("image/tiff"),
        // One or more pictures, of which the first has its reserved byte at zero.
        [0, 0, 1, 0, count, 0, _, _, _, 0, ..] if *count > 0 => Some("image/x-icon"),
        _ => match brand.and_then(|b| b.get(..4)) {
            Some(b"avif" | b"avis") => Some("image/avif"),
            Some(b"mif1" | b"msf1") => Some("image/heif"),
            Some(brand) if HEIC.contains(&brand) => Some("image/heic"),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_known_by_their_first_bytes() {
        let rows: [(&[u8], Option<&str>); 18] = [
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Some("image/png")),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", Some("image/jpeg")),
            (b"GIF89a\x01\0", Some("image/gif")),
            (b"GIF87a", Some("image/gif")),
            (b"RIFF\x24\0\0\0WEBPVP8 ", Some("image/webp")),
            (b"RIFF\x24\0\0\0WAVEfmt ", None),
            (b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0", Some("image/bmp")),
            (b"BMW is a company", None),
            (b"II*\0\x08\0\0\0", Some("image/tiff")),
            (b"MM\0*\0\0\0\x08", Some("image/tiff")),
            (b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0", Some("image/x-icon")),
            (b"\0\0\0\x1cftypavif\0\0\0\0", Some("image/avif")),
            (b"\0\0\0\x18ftypheic\0\0\0\0", Some("image/heic")),
            (b"\0\0\0\x18ftypmif1\0\0\0\0", Some("image/heif")),
            (b"\0\0\0\x18ftypisom\0\0\0\0", None),
            (b"<svg xmlns=\"http://www.w3.org/2000/svg\">", None),
            (b"\x89PNG\n", None),
            (b"", None),
        ];
        for (head, expected) in rows {
            assert!(head.len() <= 48);
            assert_eq!(picture_type(head), expected, "{head:?}");
            for cut in 0..head.len() {
                let _ = picture_type(&head[..cut]);
            }
        }
    }
}
