import { Eye, LockKeyhole } from 'lucide-react'
import { useEffect, useRef, type RefObject } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useFeature } from '#platform/web/state/flags.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import { formatAddressLines } from './address-lines.ts'
import { SecretRows, type ShownRevealState } from './secret-rows.tsx'
import type { Reveal } from './use-reveal.ts'

interface RevealPaperProps {
  readonly card: CardRow
  readonly reveal: Reveal
}

/** Paper of the card, which is drawn as a printer: a stub while idle, the secrets for a minute after a reveal. */
export function RevealPaper({ card, reveal }: RevealPaperProps) {
  const t = useTexts(cardTexts)
  const { state } = reveal
  const shown = state.step === 'shown'
  const stub = useRef<HTMLButtonElement>(null)
  useFocusBack(shown, stub)
  if (card.state !== 'active') return <FrozenStub card={card} />
  return (
    <>
      <div className="receipt-outline mx-4 -mt-px mobile:mx-1.5">
        <section aria-label={t('paper')} className="receipt receipt-inline !px-[22px] !pt-4 !pb-7 mobile:!px-2.5">
          {shown ? (
            <div className="paper-feed">
              <ShownSecrets card={card} state={state} reveal={reveal} />
            </div>
          ) : (
            <div className="flex items-center justify-between gap-4">
              <div className="min-w-0">
                <p className="text-14 font-semibold">{t('numberAndCvv')}</p>
                <p className="text-13 text-fg-3">{t(state.step === 'asking' ? 'revealAsking' : 'revealHint')}</p>
              </div>
              <ViewButton reveal={reveal} button={stub} />
            </div>
          )}
          {state.step === 'failed' ? (
            <p role="alert" className="mt-3 border-t border-dashed border-line pt-3 text-13 text-danger">
              {state.error}
            </p>
          ) : null}
        </section>
      </div>
      {shown ? <p className="mt-3 px-6 text-12 text-fg-3">{t('revealNote')}</p> : null}
    </>
  )
}

function ViewButton({ reveal, button }: { readonly reveal: Reveal; readonly button: RefObject<HTMLButtonElement | null> }) {
  const t = useTexts(cardTexts)
  const isOn = useFeature('revealCard')
  const failed = reveal.state.step === 'failed'
  return (
    <Button
      ref={button}
      variant="secondary"
      loading={reveal.state.step === 'asking'}
      aria-disabled={!isOn}
      aria-keyshortcuts="V"
      onClick={() => void reveal.press()}
    >
      <Eye size={16} strokeWidth={1.75} aria-hidden="true" />
      {t(failed ? 'viewAgain' : 'view')}
    </Button>
  )
}

function ShownSecrets({ card, state, reveal }: { readonly card: CardRow; readonly state: ShownRevealState; readonly reveal: Reveal }) {
  const t = useTexts(cardTexts)
  const lines = card.billingAddress ? formatAddressLines(card.billingAddress) : []
  return (
    <>
      <SecretRows state={state} reveal={reveal} />
      <hr className="receipt-rule my-3" />
      <div className="flex items-start justify-between gap-3 text-13">
        <span className="w-[60px] shrink-0 text-fg-2">{t('address')}</span>
        <address className="min-w-0 flex-1 not-italic">
          {lines.length ? null : t('addressUnknown')}
          {lines.map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </address>
        {lines.length ? (
          <CopyButton text={lines.join('\n')} word={t('copyAll')} label={t('copyAddress')} variant="ghost" className="-my-1 -mr-3 shrink-0 !text-brand-text" />
        ) : null}
      </div>
    </>
  )
}

function FrozenStub({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  return (
    <div className="receipt-outline mx-4 -mt-px mobile:mx-1.5">
      <div className="receipt receipt-inline flex items-center gap-3 !px-[22px] !pt-4 !pb-7 text-13 text-fg-2">
        <LockKeyhole size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-fg-3" />
        {t(card.frozenBy === 'user' ? 'paperFrozen' : 'paperLocked')}
      </div>
    </div>
  )
}

/** When the paper rolls back, focus returns to its trigger, unless it has moved elsewhere meanwhile. */
function useFocusBack(shown: boolean, target: RefObject<HTMLButtonElement | null>): void {
  const was = useRef(shown)
  useEffect(() => {
    const { activeElement } = document
    if (was.current && !shown && (activeElement === null || activeElement === document.body)) target.current?.focus({ preventScroll: true })
    was.current = shown
  }, [shown, target])
}
