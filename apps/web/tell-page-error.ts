/** Tells the operators of what failed. How is fetched only then: most visits never need it. */
export function tellPageError(kind: 'error' | 'promise' | 'page', error: unknown): void {
  import('./page-errors.ts').then(
    ({ reportPageError }) => reportPageError(kind, error),
    () => {}, // offline, or a version that is gone: nobody to tell
  )
}

/** Call once at start. */
export function watchPageErrors(): void {
  addEventListener('error', (event) => {
    if (event.error) tellPageError('error', event.error)
  })
  addEventListener('unhandledrejection', (event) => tellPageError('promise', event.reason))
}
