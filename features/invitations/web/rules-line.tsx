import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import type { InvitationRules } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'

/** Which version holds since when, and all of it in words. */
export function RulesLine({ rules }: { readonly rules: InvitationRules }) {
  const t = useTexts(invitationTexts)
  const [open, setOpen] = useState(false)
  const values = {
    discount: displayUsd(rules.discount),
    reward: displayUsd(rules.reward),
    threshold: displayUsd(rules.threshold),
    days: String(rules.holdDays),
    keep: String(rules.keepDays),
    reviewDays: String(rules.reviewDays),
    cap: displayUsd(rules.inviterCap),
    min: displayUsd(rules.withdrawMin),
    tiers: (rules.tiers ?? []).map(({ from, reward }) => t('rule_tier', { from: String(from), reward: displayUsd(reward) })).join(t('rule_tier_and')),
    second: displayUsd(rules.second ?? '0'),
    percent: rules.cashbackPercent ?? '0',
  }
  return (
    <p className="text-13 text-fg-2">
      {t('rules_version', { version: String(rules.version), day: displayTime(rules.since, 'day') })}
      <button type="button" className="link ml-2 mobile:min-h-11" onClick={() => setOpen(true)}>
        {t('rules_all')}
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t('rules_title', { version: String(rules.version) })} size="md">
        <ol className="grid list-decimal gap-2.5 pl-5 text-14">
          {listActiveRules(rules).map((key) => (
            <li key={key}>{t(key, values)}</li>
          ))}
        </ol>
      </Dialog>
    </p>
  )
}

/** Tiers, the second level and cashback have their line while they are on. */
function listActiveRules({ tiers, second, cashbackPercent }: InvitationRules) {
  return [
    ...(['rule_1', 'rule_2'] as const),
    ...(tiers ? (['rule_tiers'] as const) : []),
    ...(second ? (['rule_second'] as const) : []),
    ...(cashbackPercent ? (['rule_cashback'] as const) : []),
    ...(['rule_3', 'rule_4', 'rule_5', 'rule_6', 'rule_7', 'rule_8'] as const),
  ]
}
