/**
 * Fields with unsaved input: an automatic reload asks for confirmation while there is one. Watching the page's input events needs no code
 * in any form, and a field that has left the page no longer counts.
 */
const typed = new Set<HTMLInputElement | HTMLTextAreaElement>()
/** Input types that do not count as unsaved, such as searches. Fields with `data-passing` are ignored too. */
const PASSING = new Set(['search', 'checkbox', 'radio', 'range', 'button', 'submit'])

/** Call once at start. */
export function watchUnsaved(): void {
  addEventListener(
    'input',
    ({ target }) => {
      if (target instanceof HTMLElement && target.dataset['passing'] !== undefined) return
      if (target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !PASSING.has(target.type))) typed.add(target)
    },
    true,
  )
}

export function hasUnsaved(): boolean {
  for (const field of typed) {
    if (!field.isConnected) typed.delete(field)
    else if (field.value.trim() !== '') return true
  }
  return false
}
