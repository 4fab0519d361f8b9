import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { useTexts } from '#platform/web/i18n.ts'
import { Dialog } from '#ui/dialog.tsx'
import type { ChannelRow } from '../contract.ts'
import { paymentTexts } from '../texts.ts'

const IN_APP = /MicroMessenger|QQ\/|Weibo|DingTalk|AlipayClient/i
const ALIPAY = 1

/** Cashiers refuse to open inside WeChat and its like; Alipay's own opens in Alipay. */
export function isInsideApp(row: Pick<ChannelRow, 'tradeFrom' | 'transactionType'>, agent = navigator.userAgent): boolean {
  if (row.tradeFrom !== 'H5' || !IN_APP.test(agent)) return false
  return !(row.transactionType === ALIPAY && /AlipayClient/i.test(agent))
}

/** Three drawn dots and not a picture of a menu: each system has its own. */
export function InAppNotice({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(paymentTexts)
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('inapp_title')}
      size="sm"
      footer={
        <>
          <CopyButton text={location.href} label={t('inapp_copy')} size="md" />
          <Button onClick={onClose}>{t('back')}</Button>
        </>
      }
    >
      <p className="pb-4 text-14 text-fg-2">{t('inapp_about')}</p>
    </Dialog>
  )
}
