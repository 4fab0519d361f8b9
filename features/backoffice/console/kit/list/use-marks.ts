import { useEffect, useState } from 'react'
import { useCommandCatalogue } from '../command/use-command.ts'
import type { ListDefinition } from './types.ts'

/** Rows marked for a bulk command. Cleared when the list's filters change. */
export function useRowMarks<R>(
  { marks = [], rowKey }: Pick<ListDefinition<R>, 'marks' | 'rowKey'>,
  rows: readonly R[],
  asked: Readonly<Record<string, unknown>>,
) {
  const { data } = useCommandCatalogue()
  const acts = marks.filter(({ command }) => data?.commands.some(({ name, may }) => may && name === `${command}-many`))
  const [keys, setKeys] = useState<ReadonlySet<string>>(NO_MARKS)
  const question = JSON.stringify(asked)
  useEffect(() => setKeys(NO_MARKS), [question])
  const marked = rows.filter((row) => keys.has(rowKey(row)))
  const toggle = (row: R) =>
    setKeys((old) => {
      const key = rowKey(row)
      return old.has(key) ? new Set([...old].filter((each) => each !== key)) : new Set([...old, key])
    })
  return {
    ...{ acts, marked, isMarked: (row: R) => keys.has(rowKey(row)), toggle, clear: () => setKeys(NO_MARKS) },
    all: (on: boolean) => setKeys(on ? new Set(rows.map(rowKey)) : NO_MARKS),
  }
}
export type RowMarks<R> = ReturnType<typeof useRowMarks<R>>
const NO_MARKS: ReadonlySet<string> = new Set()
