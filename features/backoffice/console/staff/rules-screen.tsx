import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { getButtonClass, Button } from '#ui/button.tsx'
import { APPROVAL_LEVELS, approvalRule as ruleShape } from '../../words.ts'
import type { ApprovalRule } from '../../words.ts'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { useHasPermission, useSignedInOperator } from '../kit/use-me.ts'
import { useRuleWords, isAbout } from '../kit/rules/rule-words.ts'
import { staffApi } from './api.ts'
import { staffTexts } from './texts.ts'
import { useState } from 'react'
import { ErrorState } from '#ui/error-state.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { openCommand } from '../kit/command/command-store.ts'
import { useCommandCatalogue } from '../kit/command/use-command.ts'
import { useOperators } from '../kit/operators.ts'
import { SideSheet } from '../kit/sheet.tsx'

const NEW: ApprovalRule = { command: '', level: 'second', when: {} }

/** A rule in words, the operators who could approve under it, and the form that requests a new table. */
function RuleSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useTexts(staffTexts)
  const words = useRuleWords()
  const may = useHasPermission()
  const { data, error, refetch } = useQuery({ queryKey: ['rules'], queryFn: ({ signal }) => staffApi.rules({}, { signal }) })
  const isNew = id === 'new'
  const rule = isNew ? NEW : data?.rules[Number(id)]
  if (!data || !rule)
    return (
      <SideSheet title={t('rulesTitle')} onClose={onClose}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={4} />}
      </SideSheet>
    )
  return (
    <SideSheet title={isNew ? t('ruleNew') : words.act(rule.command)} about={isNew ? null : <span className="num">{rule.command}</span>} onClose={onClose}>
      {isNew ? null : (
        <p className="mb-4 text-13">
          {words.when(rule)} → <strong className="font-semibold">{words.level(rule.level)}</strong>
        </p>
      )}
      {rule.level === 'second' || rule.level === 'two' ? <Deciders rule={rule} /> : null}
      {may('rules.change') ? <RuleForm key={`${data.version}:${id}`} rules={data.rules} at={isNew ? data.rules.length : Number(id)} rule={rule} /> : null}
    </SideSheet>
  )
}

/** Active operators other than the reader who have the permission of the rule's command. */
function Deciders({ rule }: { readonly rule: ApprovalRule }) {
  const t = useTexts(staffTexts)
  const { data: me } = useSignedInOperator()
  const { data: staff } = useOperators()
  const { data: catalogue } = useCommandCatalogue()
  const permissions = new Set(catalogue?.commands.filter(({ name }) => isAbout(rule, name)).map(({ permission }) => permission))
  if (!staff || permissions.size !== 1) return null
  const others = staff.operators.filter((one) => one.status === 'active' && one.id !== me?.id && one.permissions.some((each) => permissions.has(each)))
  return (
    <p className={`mb-4 text-13 ${others.length ? 'text-fg-2' : 'text-warning'}`}>
      {others.length ? t('ruleWhoSecond', { names: others.map(({ name }) => name).join(' · ') }) : t('ruleNobody')}
    </p>
  )
}

const NUMBERS = ['ownersAtLeast', 'othersAtLeast', 'accountYoungerThanDays', 'rowsAbove'] as const
const SUMS = ['amountAbove', 'todayAbove'] as const
const LABELS = {
  amountAbove: 'ruleAmount',
  todayAbove: 'ruleToday',
  ownersAtLeast: 'ruleOwners',
  othersAtLeast: 'ruleOthers',
  accountYoungerThanDays: 'ruleYounger',
  rowsAbove: 'ruleRows',
} as const

/** Requests the whole table with this row changed; conditions that the form does not show are kept. */
function RuleForm({ rules, at, rule }: { readonly rules: readonly ApprovalRule[]; readonly at: number; readonly rule: ApprovalRule }) {
  const t = useTexts(staffTexts)
  const words = useRuleWords()
  const [command, setCommand] = useState(rule.command)
  const [level, setLevel] = useState(rule.level)
  const [isOwn, setOwn] = useState(rule.when.ownAccount === true)
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries([...SUMS, ...NUMBERS].map((name) => [name, rule.when[name] === undefined ? '' : String(rule.when[name])])),
  )
  const isNew = at === rules.length
  const { ownAccount: _own, ...kept } = Object.fromEntries(Object.entries(rule.when).filter(([name]) => !(name in typed))) as ApprovalRule['when']
  const when = {
    ...kept,
    ...Object.fromEntries(
      Object.entries(typed).flatMap(([name, text]) => (text.trim() ? [[name, (SUMS as readonly string[]).includes(name) ? text.trim() : Number(text)]] : [])),
    ),
    ...(isOwn ? { ownAccount: true } : {}),
  }
  const next = ruleShape.safeParse({ command, level, when })
  const ask = (table: readonly ApprovalRule[]) => openCommand({ name: 'rules.change', input: { rules: table }, about: command })
  return (
    <form
      className="grid grid-cols-1 gap-3 border-t border-line pt-4"
      aria-label={t(isNew ? 'ruleNew' : 'ruleChange')}
      onSubmit={(event) => {
        event.preventDefault()
        if (next.success) ask([...rules.slice(0, at), next.data, ...rules.slice(at + 1)])
      }}
    >
      <div className="grid grid-cols-2 gap-3 mobile:grid-cols-1">
        <TextField
          label={t('ruleCommand')}
          className="num"
          value={command}
          maxLength={80}
          autoComplete="off"
          error={command && !ruleShape.shape.command.safeParse(command).success ? t('ruleBad') : undefined}
          onChange={(event) => setCommand(event.target.value.trim())}
        />
        <PickField label={t('colLevel')} value={level} onChange={setLevel} options={APPROVAL_LEVELS.map((value) => ({ value, label: words.level(value) }))} />
        {[...SUMS, ...NUMBERS].map((name) => (
          <TextField
            key={name}
            label={t(LABELS[name])}
            className="num"
            inputMode="decimal"
            maxLength={12}
            autoComplete="off"
            value={typed[name] ?? ''}
            placeholder="—"
            onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          />
        ))}
      </div>
      <CheckboxField label={t('ruleOwn')} checked={isOwn} onChange={(event) => setOwn(event.target.checked)} />
      <p className="text-12 text-fg-3">{t('ruleEmptyHint')}</p>
      <div className="flex flex-wrap justify-between gap-2">
        {isNew ? (
          <span />
        ) : (
          <Button variant="secondary" className="text-danger!" onClick={() => ask(rules.filter((_one, n) => n !== at))}>
            {t('ruleRemove')}
          </Button>
        )}
        <Button type="submit" disabled={!next.success || JSON.stringify(next.data) === JSON.stringify(rule)}>
          {t('ruleSave')}
        </Button>
      </div>
    </form>
  )
}

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
