import { Download } from 'lucide-react'
import { getCurrentLang, useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import type { ButtonSize } from '#ui/button.tsx'
import { pageTexts } from '../texts-pages.ts'
import { paperApi } from './pages-api.ts'
import { useDownload } from './save-file.ts'

/** The order's receipt as a PDF in the language of the page. */
export function ReceiptButton({ orderNo, size }: { readonly orderNo: string; readonly size?: ButtonSize }) {
  const t = useTexts(pageTexts)
  const { busy, download } = useDownload()
  return (
    <Button variant="secondary" size={size} loading={busy} onClick={() => void download(() => paperApi.orderReceipt({ orderNo, lang: getCurrentLang() }))}>
      {busy ? null : <Download size={16} strokeWidth={1.75} aria-hidden="true" />}
      {t('receipt_pdf')}
    </Button>
  )
}
