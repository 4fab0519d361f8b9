import { useMemo } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import type { ApprovalRule } from '../../../words.ts'
import { useConsoleFormatter } from '../format.ts'
import { resolveTextKey, type TextKeyOf } from '#platform/shared/texts.ts'
import { ruleTexts } from './texts.ts'

const WHEN_TEXT = {
  subject: 'when_subject',
  amountAbove: 'when_amountAbove',
  todayAbove: 'when_todayAbove',
  ownAccount: 'when_ownAccount',
  ownersAtLeast: 'when_ownersAtLeast',
  othersAtLeast: 'when_othersAtLeast',
  accountYoungerThanDays: 'when_accountYoungerThanDays',
  outsideHours: 'when_outsideHours',
  rowsAbove: 'when_rowsAbove',
  via: 'when_via',
} as const satisfies Record<keyof ApprovalRule['when'], TextKeyOf<typeof ruleTexts>>
const LEVEL_TEXT = {
  second: 'level_second',
  free: 'level_free',
  stepUp: 'level_stepUp',
  reason: 'level_reason',
  two: 'level_two',
  forbidden: 'level_forbidden',
} as const
const VIA_TEXT = { session: 'via_session', token: 'via_token', breakGlass: 'via_breakGlass' } as const

/** Describes a rule in words: its command, its conditions, and the level that it requires. */
export function useRuleWords() {
  const t = useTexts(ruleTexts)
  const say = useConsoleFormatter()
  return useMemo(() => {
    const act = (command: string) => {
      if (command === '*') return t('allActs')
      if (!command.endsWith('.*')) return say.command(command)
      return t('allOf', { what: say.subject(`${command.slice(0, -2)}:`).trim() })
    }
    const when = ({ when: conditions }: ApprovalRule) => {
      const parts = Object.entries(conditions).map(([name, value]) => {
        if (name === 'outsideHours') return t('when_outsideHours', { from: (value as number[])[0]!, to: (value as number[])[1]! })
        if (name === 'amountAbove' || name === 'todayAbove') return t(resolveTextKey(WHEN_TEXT, name), { v: displayUsd(String(value)) })
        return t(resolveTextKey(WHEN_TEXT, name), {
          v: name === 'via' ? t(resolveTextKey(VIA_TEXT, String(value))) : name === 'subject' ? say.subject(String(value)) : String(value),
        })
      })
      return parts.length ? parts.join(t('and')) : t('always')
    }
    const level = (name: ApprovalRule['level']) => t(LEVEL_TEXT[name])
    return { act, when, level, whole: (rule: ApprovalRule) => [act(rule.command), when(rule), level(rule.level)].join(' · ') }
  }, [t, say])
}

/** True if the rule applies to the command. */
export const isAbout = (rule: Pick<ApprovalRule, 'command'>, name: string) =>
  rule.command.endsWith('*') ? name.startsWith(rule.command.slice(0, -1)) : name === rule.command
