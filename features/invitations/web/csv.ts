/** One cell; what a spreadsheet would take for a formula is made text. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** With the mark by which spreadsheets know UTF-8. */
export function buildCsvBlob(rows: readonly (readonly string[])[]): Blob {
  return new Blob([`\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' })
}
