import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts, useLang } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Field } from '#ui/fields/field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { commandsContract } from '../../contract-commands.console.ts'
import { createConsoleApi } from '../kit/api.ts'
import { openCommand } from '../kit/command/command-store.ts'
import { CommandButton } from '../kit/command/command-button.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { useHasPermission } from '../kit/use-me.ts'
import { systemTexts } from '../system/texts.ts'

/** Translations of the descriptions, one file for each language that has them. */
const descriptions = import.meta.glob<Readonly<Record<string, string>>>('./about.*.json', { import: 'default', eager: true })

/** Returns a function that describes a setting in the operator's language; the code holds the English description. */
function useSettingDescription(): (setting: { readonly key: string; readonly about: string }) => string {
  const texts = descriptions[`./about.${useLang()}.json`]
  return ({ key, about }) => texts?.[key] ?? about
}

const settingsApi = createConsoleApi({ settings: commandsContract.settings, settingHistory: commandsContract.settingHistory })
type Setting = ReplyOf<(typeof commandsContract)['settings']>['settings'][number]
const isChanged = ({ value, fallback }: Setting) => value !== fallback

/** All settings with descriptions; each change is previewed, needs a reason, and can be undone. */
export function SettingsScreen() {
  const t = useTexts(systemTexts)
  const aboutOf = useSettingDescription()
  return (
    <ListScreen<Setting>
      name="settings"
      title={t('settingsTitle')}
      about={t('settingsAbout')}
      search={t('settingsSearch')}
      load={async ({ q, own }, signal) => {
        const { settings } = await settingsApi.settings({}, { signal })
        const wanted = String(q ?? '').toLowerCase()
        return {
          rows: settings.filter((each) => `${each.key} ${aboutOf(each)}`.toLowerCase().includes(wanted) && (own === undefined || isChanged(each))),
          next: null,
        }
      }}
      rowKey={(row) => row.key}
      views={[
        { id: 'all', label: t('settingsAll'), set: { own: undefined } },
        { id: 'own', label: t('settingsOwn'), set: { own: '1' } },
      ]}
      columns={[
        { key: 'key', header: t('colKey'), mobile: 'title', cell: (row) => <strong className="num font-semibold">{row.key}</strong>, csv: (row) => row.key },
        {
          key: 'about',
          aside: true,
          header: t('colAbout'),
          cell: (row) => <span className="line-clamp-2 max-w-[64ch] whitespace-normal text-fg-2">{aboutOf(row)}</span>,
          csv: aboutOf,
        },
        {
          key: 'value',
          header: t('colValue'),
          align: 'right',
          mobile: 'primary',
          cell: (row) => <span className="num block max-w-[28ch] truncate">{row.value}</span>,
          csv: (row) => row.value,
        },
        {
          key: 'own',
          header: t('colOwn'),
          width: '96px',
          cell: (row) => (isChanged(row) ? <Badge tone="info">{t('changed')}</Badge> : <span className="text-fg-3">{t('default')}</span>),
        },
      ]}
      empty={{ title: t('settingsNone') }}
      sheet={({ id, close }) => <SettingSheet key={id} name={id} onClose={close} />}
    />
  )
}

function SettingSheet({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const t = useTexts(systemTexts)
  const aboutOf = useSettingDescription()
  const nameOf = useOperatorName()
  const may = useHasPermission()
  const all = useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => settingsApi.settings({}, { signal }) })
  const past = useQuery({ queryKey: ['settings', name], queryFn: ({ signal }) => settingsApi.settingHistory({ key: name }, { signal }) })
  const setting = all.data?.settings.find(({ key }) => key === name)
  if (!setting)
    return (
      <SideSheet title={name} onClose={onClose}>
        {all.isError ? <ErrorState error={all.error} onRetry={() => void all.refetch()} /> : null}
        {all.isPending ? <SkeletonRows rows={4} /> : null}
        {all.data ? <p className="text-13 text-fg-3">{t('settingsNone')}</p> : null}
      </SideSheet>
    )
  return (
    <SideSheet
      title={<span className="num">{name}</span>}
      tags={isChanged(setting) ? <Badge tone="info">{t('changed')}</Badge> : null}
      about={aboutOf(setting)}
      onClose={onClose}
    >
      {may('settings.change') ? <ValueForm key={setting.value} setting={setting} /> : <pre className="num text-13 whitespace-pre-wrap">{setting.value}</pre>}
      <p className="mt-3 text-12 text-fg-3">
        {t('fallback')} <span className="num [overflow-wrap:anywhere] whitespace-normal">{setting.fallback}</span>
      </p>
      <h3 className="mt-5 mb-1 text-13 font-semibold">{t('history')}</h3>
      {past.isPending ? <SkeletonRows rows={2} /> : null}
      {past.isError ? <ErrorState error={past.error} onRetry={() => void past.refetch()} /> : null}
      {past.data && !past.data.versions.length ? <p className="text-13 text-fg-3">{t('historyNone')}</p> : null}
      <ul className="divide-y divide-line">
        {past.data?.versions.map(({ id, value, at, by }, index) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-13">
            <span className="num min-w-0 flex-1 truncate">{value}</span>
            <span className="text-fg-3">{nameOf(by.replace(/^operator:/, ''))}</span>
            <Time at={at} className="text-fg-3" />
            {index ? <CommandButton name="setting.revert" input={{ key: name, version: id }} about={name} word={t('backTo')} variant="ghost" /> : null}
          </li>
        ))}
      </ul>
      {isChanged(setting) ? (
        <div className="mt-3">
          <CommandButton name="setting.revert" input={{ key: name, version: 'default' }} about={name} word={t('backToDefault')} />
        </div>
      ) : null}
    </SideSheet>
  )
}

/** Form for a value as JSON, as the server stores it; invalid JSON is reported before the preview. */
function ValueForm({ setting: { key, value } }: { readonly setting: Setting }) {
  const t = useTexts(systemTexts)
  const [typed, setTyped] = useState(() => formatValue(value))
  const parsed = parseValue(typed)
  const isLong = typed.includes('\n') || typed.length > 60
  return (
    <form
      className="grid grid-cols-1 gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (parsed) openCommand({ name: 'setting.change', input: { key, value: parsed.value }, about: key, onDone: () => undefined })
      }}
    >
      <Field id="setting-value" label={t('newValue')} error={parsed ? undefined : t('noJson')}>
        <textarea
          id="setting-value"
          className="input num"
          rows={isLong ? Math.min(18, typed.split('\n').length + 1) : 2}
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <Button type="submit" className="justify-self-start" disabled={!parsed || JSON.stringify(parsed.value) === value}>
        {t('toPreview')}
      </Button>
    </form>
  )
}

const formatValue = (json: string) => (json.length > 60 ? JSON.stringify(JSON.parse(json), null, 2) : json)
function parseValue(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
