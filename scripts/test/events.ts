/** Message from a part's Vitest process to the run. */
export type RunEvent =
  | { readonly kind: 'files'; readonly files: readonly string[] }
  /** A test or a hook has started. */
  | { readonly kind: 'begun'; readonly at: string }
  | { readonly kind: 'hook-ended'; readonly at: string }
  | { readonly kind: 'collected'; readonly file: string; readonly tests: number }
  | { readonly kind: 'test'; readonly at: string; readonly state: 'passed' | 'failed' | 'skipped'; readonly ms: number; readonly problems: readonly string[] }
  | { readonly kind: 'file'; readonly file: string; readonly ms: number; readonly problems: readonly string[] }
  | { readonly kind: 'said'; readonly file: string; readonly text: string }
  | { readonly kind: 'ended'; readonly problems: readonly string[] }
