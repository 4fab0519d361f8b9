/**
 * Which fields a person typed in and has not left behind: a reload by ourselves asks first while there is one. Watching
 * the page's input events needs nothing from any form, and a field that left the page no longer counts.
 */
const typed = new Set<HTMLInputElement | HTMLTextAreaElement>()
/** Typed into and not missed: searches, and what says so with `data-passing`. */
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
