import { createContext, useCallback, useContext, useEffect, useState } from 'react'

/** Replies of public calls by path, as the server embedded them in the rendered page. */
export type PageData = Readonly<Record<string, unknown>>

/** Set by the prerenderer; a browser reads the page's own element once. */
export const PageDataContext = createContext<PageData | undefined>(undefined)

function readPageData(): PageData {
  try {
    return JSON.parse((typeof document === 'undefined' ? undefined : document.getElementById('page-data')?.textContent) || '{}') as PageData
  } catch {
    return {}
  }
}

const FRESH_MS = 300_000
const cachedReplies = new Map<string, { readonly at: number; readonly reply: unknown }>(
  Object.entries(readPageData()).map(([path, reply]) => [path, { at: Date.now(), reply }]),
)

export interface LoadedData<R> {
  readonly data: R | undefined
  readonly error: unknown
  readonly retry: () => void
}

/**
 * Returns the reply of a public GET without input: embedded in prerendered pages, fetched on others, and cached for five minutes. Public
 * pages use it instead of TanStack Query, which they need for nothing else. `call` must be the same function on every render.
 */
export function usePageData<R>(path: string, call: (signal?: AbortSignal) => Promise<R>): LoadedData<R> {
  const drawn = useContext(PageDataContext)?.[path]
  const [state, setState] = useState<{ data: unknown; error: unknown }>(() => ({ data: drawn ?? cachedReplies.get(path)?.reply, error: undefined }))
  const load = useCallback(
    async (signal?: AbortSignal) => {
      setState((old) => ({ ...old, error: undefined }))
      try {
        const reply = await call(signal)
        cachedReplies.set(path, { at: Date.now(), reply })
        setState({ data: reply, error: undefined })
      } catch (error) {
        if (!signal?.aborted) setState((old) => ({ ...old, error }))
      }
    },
    [path, call],
  )
  useEffect(() => {
    const kept = cachedReplies.get(path)
    if (kept && Date.now() - kept.at < FRESH_MS) return
    const stop = new AbortController()
    void load(stop.signal)
    return () => stop.abort()
  }, [path, load])
  return { data: state.data as R | undefined, error: state.error, retry: () => void load() }
}
