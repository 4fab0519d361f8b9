import { useRef, useState, type FormEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useReducer } from 'react'

/**
 * Call the returned function together with the change that marks fields as invalid: the first of them gets the focus in the same commit,
 * never later, when the user may already be typing elsewhere.
 */
export function useFirstWrong(form: RefObject<HTMLElement | null>): () => void {
  const [asked, ask] = useReducer((times: number) => times + 1, 0)
  useLayoutEffect(() => {
    if (asked) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [asked, form])
  return ask
}

/** A validation rule. Sees all values, because some fields depend on others; returns the key of its error text. */
export type FieldRules<V, K extends string> = { readonly [F in keyof V]?: (values: V) => K | undefined }

export interface BoundField<T> {
  readonly value: T
  readonly onChange: (value: T) => void
  readonly error: string | undefined
}

export interface Fields<V> {
  readonly values: V
  readonly set: (change: Partial<V>) => void
  /** Value, change and error of one field, for a controlled component. */
  readonly bind: <K extends keyof V & string>(name: K) => BoundField<V[K]>
  /** Validates these fields, shows their errors and focuses the first invalid one; true if all are valid. */
  readonly check: (...names: (keyof V & string)[]) => boolean
  /** Shows the server's error for a field until the field changes. */
  readonly refuse: (name: keyof V & string, message: string) => void
  readonly form: { readonly ref: RefObject<HTMLFormElement | null>; readonly noValidate: true; readonly onKeyDown: (event: KeyboardEvent) => void }
  /** For `onSubmit`: runs the action if every rule holds. */
  readonly submit: (action: (values: V) => unknown) => (event?: FormEvent) => void
}

/**
 * Form state with validation. Errors appear after the first check (submitting, or requesting a code), then update with every change. Rules return
 * keys of `t`, so that errors follow a change of language.
 */
export function useFields<V extends object, K extends string>(
  t: (key: K) => string,
  initial: V,
  { rules, onChange }: { readonly rules: FieldRules<V, K>; readonly onChange?: (values: V) => void },
): Fields<V> {
  const [values, setValues] = useState(initial)
  const latest = useRef(values)
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<Readonly<Record<string, string | undefined>>>({})
  const ref = useRef<HTMLFormElement>(null)
  const pointOut = useFirstWrong(ref)
  const problem = (name: keyof V & string) => rules[name]?.(latest.current)

  const set = (change: Partial<V>) => {
    latest.current = { ...latest.current, ...change }
    setValues(latest.current)
    setRefused((old) => ({ ...old, ...Object.fromEntries(Object.keys(change).map((name) => [name, undefined])) }))
    onChange?.(latest.current)
  }
  const check = (...names: (keyof V & string)[]) => {
    setChecked((old) => new Set([...old, ...names]))
    const isRight = names.every((name) => !problem(name))
    if (!isRight) pointOut()
    return isRight
  }
  const shown = (name: keyof V & string) => {
    const key = checked.has(name) ? problem(name) : undefined
    return refused[name] ?? (key && t(key))
  }
  return {
    values,
    set,
    check,
    bind: (name) => ({ value: values[name], onChange: (value) => set({ [name]: value } as unknown as Partial<V>), error: shown(name) }),
    refuse: (name, message) => {
      setRefused((old) => ({ ...old, [name]: message }))
      pointOut()
    },
    form: { ref, noValidate: true, onKeyDown: enterSubmits },
    submit: (action) => (event) => {
      event?.preventDefault()
      if (check(...(Object.keys(rules) as (keyof V & string)[]))) action(latest.current)
    },
  }
}

/** Enter submits unless shift is held (product.md 1.5). */
function enterSubmits(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.shiftKey && event.target instanceof HTMLInputElement) event.preventDefault()
}
