import { useEffect, useState } from 'react'
import { useCatalogue } from '../command/use-command.ts'
import type { ListOf } from './types.ts'

/** Rows that are marked to do something with all of them at once. They are forgotten when the list asks for others. */
export function useMarks<R>({ marks = [], rowKey }: Pick<ListOf<R>, 'marks' | 'rowKey'>, rows: readonly R[], asked: Readonly<Record<string, unknown>>) {
  const { data } = useCatalogue()
  const acts = marks.filter(({ command }) => data?.commands.some(({ name, may }) => may && name === `${command}-many`))
  const [keys, setKeys] = useState<ReadonlySet<string>>(NONE)
  const question = JSON.stringify(asked)
  useEffect(() => setKeys(NONE), [question])
  const marked = rows.filter((row) => keys.has(rowKey(row)))
  const toggle = (row: R) =>
    setKeys((old) => {
      const key = rowKey(row)
      return old.has(key) ? new Set([...old].filter((each) => each !== key)) : new Set([...old, key])
    })
  return {
    ...{ acts, marked, isMarked: (row: R) => keys.has(rowKey(row)), toggle, clear: () => setKeys(NONE) },
    all: (on: boolean) => setKeys(on ? new Set(rows.map(rowKey)) : NONE),
  }
}
export type Marks<R> = ReturnType<typeof useMarks<R>>
const NONE: ReadonlySet<string> = new Set()
