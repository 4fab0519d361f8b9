import { lazy, Suspense } from 'react'
import { useUndoStore } from './undo-store.ts'

const UndoLine = lazy(() => import('./undo-line.tsx').then((module) => ({ default: module.UndoLine })))

/** For ten minutes, at the foot: what was just done, and the way back. */
export function UndoBar() {
  const newest = useUndoStore(({ list }) => list[0])
  return <Suspense>{newest ? <UndoLine key={newest.no} done={newest} /> : null}</Suspense>
}
