import { useNavigate } from '@tanstack/react-router'
import { ClipboardList, Ellipsis, FileText, ReceiptText, RefreshCw, ScrollText } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { LazyMenu } from '#ui/layers/lazy-menu.tsx'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import { useCardDialog } from './dialogs/card-dialog-state.ts'

// Between phone and 900 px a cell is about 80 px wide: the label is below its icon there.
const cell =
  'flex min-h-12 flex-1 items-center justify-center gap-2 px-2 text-14 whitespace-nowrap no-underline hover:bg-sunken -outline-offset-2 desktop:max-[899px]:flex-col desktop:max-[899px]:gap-0.5 desktop:max-[899px]:px-1 desktop:max-[899px]:py-2 desktop:max-[899px]:text-13'

/** The rarer things, ruled into one strip; losing and closing a card stand behind the dots. */
export function ActionStrip({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  const mobile = useIsMobile()
  const navigate = useNavigate()
  const open = useCardDialog((state) => state.open)
  const acts: readonly { key: string; text: string; Icon: LucideIcon; run: () => void }[] = [
    ...(mobile ? [] : [{ key: 'bind', text: t('bind'), Icon: ClipboardList, run: () => open('bind') }]),
    { key: 'bills', text: t('bills'), Icon: ReceiptText, run: () => void navigate({ to: '/bill', search: { card: card.id } }) },
    { key: 'papers', text: t('statement'), Icon: FileText, run: () => open('papers') },
    ...(mobile ? [] : [{ key: 'receipt', text: t('openingReceipt'), Icon: ScrollText, run: () => open('papers') }]),
    { key: 'change', text: t('change'), Icon: RefreshCw, run: () => open('change') },
  ]
  return (
    <div role="group" aria-label={t('actions')} className="card flex divide-x divide-line overflow-hidden">
      {acts.map(({ key, text, Icon, run }) => (
        <button key={key} type="button" className={cell} onClick={run}>
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-fg-3 mobile:hidden" />
          {text}
        </button>
      ))}
      <LazyMenu
        trigger={
          <button
            type="button"
            className="flex w-12 shrink-0 items-center justify-center hover:bg-sunken -outline-offset-2"
            aria-label={t('more')}
            title={t('more')}
          >
            <Ellipsis size={18} strokeWidth={1.75} aria-hidden="true" />
          </button>
        }
        groups={[
          [
            ...(mobile ? [{ key: 'receipt', label: t('openingReceipt'), onSelect: () => open('papers') }] : []),
            ...(card.canChangeAddress ? [{ key: 'address', label: t('changeAddress'), onSelect: () => open('address') }] : []),
          ],
          [
            { key: 'lost', label: t('lost'), onSelect: () => open('lost'), danger: true },
            { key: 'close', label: t('closeCard'), onSelect: () => open('close'), danger: true },
          ],
        ]}
      />
    </div>
  )
}
