import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { getButtonClass } from '#ui/button.tsx'
import type { ApprovalRule } from '../../words.ts'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { useHasPermission } from '../kit/use-me.ts'
import { useRuleWords } from '../kit/rules/rule-words.ts'
import { staffApi } from './api.ts'
import { RuleSheet } from './rule-sheet.tsx'
import { staffTexts } from './texts.ts'

const TONES: Readonly<Record<ApprovalRule['level'], Tone>> = {
  ...{ free: 'neutral', reason: 'neutral', stepUp: 'info', second: 'warning', two: 'warning', forbidden: 'danger' },
}
type PlacedRule = ApprovalRule & { readonly at: number }

/** The approval rules in force, in words; an operator with `rules.change` can edit a row. */
export function RulesScreen() {
  const t = useTexts(staffTexts)
  const words = useRuleWords()
  const may = useHasPermission()
  const { data } = useQuery({ queryKey: ['rules'], queryFn: ({ signal }) => staffApi.rules({}, { signal }) })
  return (
    <ListScreen<PlacedRule>
      name="rules"
      title={t('rulesTitle')}
      note={data ? (data.version ? t('rulesVersion', { version: data.version }) : t('rulesBuiltIn')) : undefined}
      about={t('rulesAbout')}
      actions={may('rules.change') ? <NewRule /> : null}
      search={t('rulesSearch')}
      load={async ({ q }, signal) => {
        const { rules } = await staffApi.rules({}, { signal })
        const wanted = String(q ?? '').toLowerCase()
        return {
          rows: rules.map((rule, at) => ({ ...rule, at })).filter((rule) => `${rule.command} ${words.whole(rule)}`.toLowerCase().includes(wanted)),
          next: null,
        }
      }}
      rowKey={(row) => String(row.at)}
      columns={[
        {
          key: 'act',
          header: t('colAct'),
          mobile: 'title',
          cell: (row) => (
            <span className="block leading-[18px]">
              <strong className="block font-semibold">{words.act(row.command)}</strong>
              <span className="num block text-12 text-fg-3">{row.command}</span>
            </span>
          ),
          csv: (row) => row.command,
        },
        { key: 'when', header: t('colWhen'), cell: (row) => words.when(row), csv: (row) => JSON.stringify(row.when) },
        {
          key: 'level',
          header: t('colLevel'),
          width: '136px',
          mobile: 'primary',
          cell: (row) => <Badge tone={TONES[row.level]}>{words.level(row.level)}</Badge>,
          csv: (row) => row.level,
        },
      ]}
      empty={{ title: t('emptyTitle') }}
      sheet={({ id, close }) => <RuleSheet key={id} id={id} onClose={close} />}
    />
  )
}

function NewRule() {
  const t = useTexts(staffTexts)
  return (
    <Link to="/rules?open=new" className={getButtonClass('secondary', 'md')}>
      {t('ruleAdd')}
    </Link>
  )
}
