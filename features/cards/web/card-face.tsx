import type { TextKeyOf } from '#platform/shared/texts.ts'
import './card-face.css'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { BrandMark } from '#ui/brand-mark.tsx'
import type { CardRow } from '../contract.ts'
import { cardTexts } from '../texts.ts'
import { chooseBrand, readsHan } from '#platform/shared/languages.ts'

const TYPE_TEXT = { standard: 'type_standard', pro: 'type_pro' } as const
const TYPE_TEXT_2 = { standard: 'type_standard', pro: 'type_pro' } as const

interface CardFaceProps {
  readonly card: Pick<CardRow, 'type' | 'state' | 'last4' | 'holder' | 'expiry'>
  readonly className?: string
}

/**
 * Face of a card that can be shown to others: no digits but the last four. Everything on it scales with its width, so that it looks the
 * same on a phone and in a list. A closed card is an outline.
 */
export function CardFace({ card, className = '' }: CardFaceProps) {
  const t = useTexts(cardTexts)
  const lang = useLang()
  const closed = card.state === 'closed'
  const look = closed ? 'card-face-closed' : card.state === 'frozen' ? 'card-face-frozen' : ''
  return (
    <div className={`card-face ${card.type === 'pro' ? 'card-face-pro' : ''} ${look} ${className}`} role="img" aria-label={label(t, card)}>
      <div className="card-face-in" aria-hidden="true">
        {closed ? null : <TiltedReceipt />}
        <div className="card-face-top">
          <span className="card-face-brand">
            <BrandMark className="card-face-mark" />
            {chooseBrand(lang, site)}
            {readsHan(lang) ? <span className="card-face-brand-2">{site.brand}</span> : null}
          </span>
          <span className="card-face-type">{t(TYPE_TEXT[card.type])}</span>
        </div>
        <div className="card-face-number">
          {[0, 1, 2].map((group) => (
            <span key={group} className="card-face-dots">
              <i />
              <i />
              <i />
              <i />
            </span>
          ))}
          {card.last4 ? <span className="card-face-last">{card.last4}</span> : <Dots />}
        </div>
        <div className="card-face-rule" />
        <FaceRow name={t('holder')} value={card.holder} />
        <FaceRow name={t('validThru')} value={card.expiry} />
      </div>
    </div>
  )
}

function Dots() {
  return (
    <span className="card-face-dots">
      <i />
      <i />
      <i />
      <i />
    </span>
  )
}

function FaceRow({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="card-face-row">
      <span className="card-face-name">{name}</span>
      <span className="card-face-leader" />
      <span className="card-face-value">{value || '·····'}</span>
    </div>
  )
}

function label(t: ReturnType<typeof useTexts<TextKeyOf<typeof cardTexts>>>, card: CardFaceProps['card']): string {
  const { type, last4, holder, expiry } = card
  return last4 ? t('faceLabel', { type: t(TYPE_TEXT_2[type]), last4, holder, expiry }) : t('faceLabelNew', { type: t(TYPE_TEXT_2[type]) })
}

/** Drawing in the corner of the card: three calls, one sum. */
function TiltedReceipt() {
  const rows = [
    { y: 62, dot: '#279479', width: 48, end: 26 },
    { y: 88, dot: '#be8628', width: 34, end: 20 },
    { y: 114, dot: '#535eb8', width: 42, end: 24 },
  ]
  return (
    <svg viewBox="0 0 180 262" className="card-face-receipt" aria-hidden="true">
      <path
        d="M0 0h180v250q-5.600-7-11.250 0t-11.250 0t-11.250 0t-11.250 0t-11.250 0t-11.250 0t-11.250 0t-11.250 0t-11.250 0t-11.250 0t-11.250 0t-11.250 0t-11.250 0t-11.250 0t-11.250 0t-11.250 0z"
        className="card-face-paper"
      />
      {rows.map(({ y, dot, width, end }) => (
        <g key={y}>
          <circle cx="24" cy={y} r="5" fill={dot} />
          <path d={`M40 ${y}h${width}`} className="card-face-ink" strokeWidth="4" strokeLinecap="round" />
          <path d={`M${40 + width + 10} ${y}H${154 - end}`} className="card-face-ink" strokeWidth="1.500" strokeDasharray="0 5" strokeLinecap="round" />
          <path d={`M${160 - end} ${y}h${end}`} className="card-face-ink" strokeWidth="4" strokeLinecap="round" />
        </g>
      ))}
      <path d="M20 140H160" className="card-face-ink" strokeWidth="1" strokeDasharray="4 4" />
      <path d="M20 160h26M118 160h42" className="card-face-ink" strokeWidth="5" strokeLinecap="round" />
    </svg>
  )
}
