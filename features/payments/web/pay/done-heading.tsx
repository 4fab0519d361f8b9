import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'

/** Heading that takes the focus, so that screen readers announce the change of step. */
export function DoneHeading({ title, mark, children }: { readonly title: string; readonly mark?: ReactNode; readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
  }, [])
  return (
    <div className="flex flex-col items-center gap-3 pt-2 pb-2 text-center">
      {mark ? <div className="py-2">{mark}</div> : null}
      <h3 ref={heading} tabIndex={-1} className="text-20 font-bold outline-none">
        {title}
      </h3>
      {children}
    </div>
  )
}
