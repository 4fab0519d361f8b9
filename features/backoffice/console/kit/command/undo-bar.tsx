import { lazy, Suspense } from 'react'
import { useUndoStore } from './undo-store.ts'

const UndoLine = lazy(() => import('./undo-line.tsx').then((module) => ({ default: module.UndoLine })))

/** Bar at the bottom that offers to undo the last command for ten minutes. */
export function UndoBar() {
  const newest = useUndoStore(({ list }) => list[0])
  return <Suspense>{newest ? <UndoLine key={newest.no} done={newest} /> : null}</Suspense>
}
