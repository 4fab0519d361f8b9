/**
 * Escapes a cell so that spreadsheets do not read it as a formula: text that begins like one gets an apostrophe; plain numbers stay numbers
 * (money.md H5).
 */
export function escapeCsvCell(text: string): string {
  const flat = text.replace(/[\r\n\u2028\u2029]+/g, ' ').replaceAll('\u0000', '')
  const safe = /^\s*[=+\-@\t|%\uff1d\uff0b\uff0d\uff20]/.test(flat) && !/^-?\d{1,15}(\.\d{1,9})?$/.test(flat) ? `'${flat}` : flat
  return /[",;\t']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const formatCsvLine = (cells: readonly string[]) => `${cells.map(escapeCsvCell).join(',')}\r\n`

/** Byte order mark: tells spreadsheets that the file is UTF-8. */
export const BOM = '\uFEFF'
