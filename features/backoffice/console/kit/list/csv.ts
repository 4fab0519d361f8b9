const BOM = '\uFEFF'

/**
 * Escapes a cell so that no spreadsheet reads it as a formula: text that begins like one gets an apostrophe; plain numbers stay numbers
 * (H5).
 */
function formatCsvCell(text: string): string {
  const flat = text.replace(/[\r\n\u2028\u2029]+/g, ' ').replaceAll('\u0000', '')
  const safe = /^\s*[=+\-@\t|%\uff1d\uff0b\uff0d\uff20]/.test(flat) && !/^-?\d{1,15}(\.\d{1,9})?$/.test(flat) ? `'${flat}` : flat
  return /[",;\t']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function formatCsv(lines: readonly (readonly string[])[]): string {
  return BOM + lines.map((cells) => `${cells.map(formatCsvCell).join(',')}\r\n`).join('')
}
