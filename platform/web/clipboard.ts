/** Copies text; falls back to a hidden field where the clipboard API is missing (plain http, old web views). */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

function copyByCommand(text: string): boolean {
  const field = document.createElement('textarea')
  const focused = document.activeElement
  field.value = text
  field.readOnly = true
  field.className = 'sr-only'
  // Inside an open dialog focus is trapped: the field must live in it.
  const home = focused?.closest('[role="dialog"],[role="alertdialog"]') ?? document.body
  home.append(field)
  field.select()
  field.setSelectionRange(0, text.length)
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
