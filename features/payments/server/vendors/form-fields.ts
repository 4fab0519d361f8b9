/** Parses the form of a notice. Undefined for bytes that are not UTF-8 and for a repeated name, which could be read in two ways. */
export function readNoticeFields(body: Buffer): Record<string, string> | undefined {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    for (const pair of text.split('&')) {
      const [name = '', value = '', ...rest] = pair.split('=').map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
      if (!name || rest.length || name in fields) return undefined
      fields[name] = value
    }
    return fields
  } catch {
    return undefined
  }
}
