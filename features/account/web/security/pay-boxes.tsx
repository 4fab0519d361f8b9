import { useEffect, useRef } from 'react'
import { CodeField } from '#ui/fields/code-field.tsx'
import { PAY_PASSWORD_LENGTH } from '../../contract.ts'

interface PayBoxesProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onComplete?: (value: string) => void
  readonly error: string | undefined
  readonly hint?: string
  readonly disabled?: boolean
}

/** Six masked digit boxes. Takes focus when it appears, at each step. */
export function PayBoxes(props: PayBoxesProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={box}>
      <CodeField {...props} length={PAY_PASSWORD_LENGTH} secret />
    </div>
  )
}
