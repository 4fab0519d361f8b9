import { useEffect, useRef } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { copyText } from '#platform/web/clipboard.ts'
import { toast } from '#ui/layers/toast.ts'
import type { NumberRow } from '../contract.ts'
import { numberTexts } from '../texts.ts'

/** C copies the code, or the number while there is none; N takes another number. Not in fields, not with a dialog open. */
export function useNumberKeys(keys: { readonly row: NumberRow; readonly onOther: () => void }): void {
  const t = useTexts(numberTexts)
  const now = useRef({ ...keys, t })
  useEffect(() => {
    now.current = { ...keys, t }
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const from = event.target as HTMLElement
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || from.closest('input, textarea, select, [role=dialog]')) return
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return
      const { row, onOther } = now.current
      if (event.key.toLowerCase() === 'n') onOther()
      if (event.key.toLowerCase() === 'c' && (row.code || row.number)) {
        void copyText(row.code || row.number).then((done) => (done ? toast.success(`${now.current.t(row.code ? 'copyCode' : 'copyNumber')} ✓`) : undefined))
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
