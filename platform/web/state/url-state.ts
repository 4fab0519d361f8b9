import { useNavigate, useSearch } from '@tanstack/react-router'
import { useOnceHydrated } from '../hydrated.ts'

/** One query parameter as state: filters and tabs live in the URL. The fallback value is left out of it; a page is prerendered without any. */
export function useQueryParam<V extends string>(name: string, fallback: V): readonly [V, (value: V) => void] {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const given = search[name]
  const value = useOnceHydrated(typeof given === 'string' ? (given as V) : undefined)
  const set = (next: V) => {
    void navigate({
      to: '.',
      search: (old: Readonly<Record<string, string | undefined>>) => ({ ...old, [name]: next === fallback ? undefined : next }),
      replace: true,
      resetScroll: false,
    })
  }
  return [value ?? fallback, set]
}
