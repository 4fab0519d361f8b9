import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { toast } from '#ui/layers/toast.ts'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { runWithStepUp } from '../kit/command/step-up-store.ts'
import { ConsolePanel } from '../kit/page.tsx'
import { useConsoleFormatter } from '../kit/format.ts'
import { useHasPermission, useSignedInOperator } from '../kit/use-me.ts'
import { alarmsApi, SEVERITY_TONES } from './api.ts'
import type { AlarmRoute } from './api.ts'
import { panelTexts } from './texts.ts'
import { ALARMS_SEVERITY_TEXT } from './state-texts.ts'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { ALARM_SEVERITIES, ALARM_ROUTE_KINDS } from '../../alarms.ts'
import type { AlarmSeverity, AlarmRouteKind } from '../../alarms.ts'
import { openCommand } from '../kit/command/command-store.ts'
import { useOperators } from '../kit/operators.ts'

interface RouteForm {
  readonly operatorId: string
  readonly kind: AlarmRouteKind
  readonly address: string
  readonly severity: AlarmSeverity
  readonly wait: string
  readonly quietFrom: string
  readonly quietTo: string
}

/** Form for a notification route: operator, kind, minimum severity, delay and quiet hours. */
function AlarmRouteForm({ escalateMinutes, onClose }: { readonly escalateMinutes: number; readonly onClose: () => void }) {
  const t = useTexts(panelTexts)
  const { data: me } = useSignedInOperator()
  const { data } = useOperators()
  const [form, setForm] = useState<RouteForm>({ operatorId: '', kind: 'mail', address: '', severity: 'serious', wait: '0', quietFrom: '', quietTo: '' })
  const put = (patch: Partial<RouteForm>) => setForm((old) => ({ ...old, ...patch }))
  const operatorId = form.operatorId || (me?.id ?? '')
  const isWhole =
    /^\d{1,4}$/.test(form.wait) &&
    (form.kind === 'mail' || form.address.trim() !== '') &&
    (form.quietFrom === '') === (form.quietTo === '') &&
    operatorId !== ''
  const ask = () => {
    const { wait, kind, severity, quietFrom, quietTo } = form
    openCommand({
      name: 'alarm.tell',
      input: { operatorId, kind, severity, address: kind === 'mail' ? '' : form.address.trim(), waitMinutes: Number(wait), quietFrom, quietTo },
      about: data?.operators.find(({ id }) => id === operatorId)?.name,
    })
    onClose()
  }
  return (
    <Dialog
      open
      size="sm"
      title={t('formTitle')}
      onClose={onClose}
      footer={
        <Button size="lg" disabled={!isWhole} onClick={ask}>
          {t('next')}
        </Button>
      }
    >
      <AlarmRouteFields form={{ ...form, operatorId }} put={put} escalateMinutes={escalateMinutes} />
    </Dialog>
  )
}

interface FieldsProps {
  readonly form: RouteForm
  readonly put: (patch: Partial<RouteForm>) => void
  readonly escalateMinutes: number
}

function AlarmRouteFields({ form, put, escalateMinutes }: FieldsProps) {
  const t = useTexts(panelTexts)
  const say = useConsoleFormatter()
  const { data } = useOperators()
  return (
    <div className="grid grid-cols-1 gap-3">
      <PickField
        label={t('who')}
        value={form.operatorId}
        onChange={(id) => put({ operatorId: id })}
        options={(data?.operators ?? []).filter(({ status }) => status === 'active').map(({ id, name }) => ({ value: id, label: name }))}
      />
      <PickField
        label={t('kind')}
        value={form.kind}
        hint={form.kind === 'mail' ? t('mailHint') : undefined}
        onChange={(kind) => put({ kind, address: '' })}
        options={ALARM_ROUTE_KINDS.map((value) => ({ value, label: say.value(value) }))}
      />
      {form.kind === 'mail' ? null : (
        <TextField
          label={t(form.kind === 'sms' ? 'address' : 'url')}
          hint={t(form.kind === 'sms' ? 'addressHint' : 'urlHint')}
          value={form.address}
          maxLength={500}
          className="num"
          autoComplete="off"
          inputMode={form.kind === 'sms' ? 'tel' : 'url'}
          onChange={(event) => put({ address: event.target.value })}
        />
      )}
      <PickField
        label={t('severity')}
        value={form.severity}
        onChange={(severity) => put({ severity })}
        options={ALARM_SEVERITIES.map((value) => ({ value, label: say.value(value) }))}
      />
      <TextField
        label={t('wait')}
        className="num"
        inputMode="numeric"
        maxLength={4}
        value={form.wait}
        onChange={(event) => put({ wait: event.target.value })}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField label={t('quietFrom')} type="time" value={form.quietFrom} onChange={(event) => put({ quietFrom: event.target.value })} />
        <TextField label={t('quietTo')} type="time" value={form.quietTo} onChange={(event) => put({ quietTo: event.target.value })} />
      </div>
      <p className="text-12 text-fg-3">{t('quietHint', { n: escalateMinutes })}</p>
    </div>
  )
}

/** Notification routes of alarms, each with its last delivery. */
export function AlarmRoutesPanel() {
  const t = useTexts(panelTexts)
  const may = useHasPermission()
  const [isAdding, setAdding] = useState(false)
  const read = useQuery({ queryKey: ['alarms', 'ways'], queryFn: ({ signal }) => alarmsApi.alarmWays({}, { signal }) })
  return (
    <ConsolePanel title={t('ways')} className="col-span-2 mobile:col-span-1">
      <p className="mb-1 text-13 text-fg-2">{t('waysAbout')}</p>
      {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
      {read.isPending ? <SkeletonRows rows={2} /> : null}
      {read.data && !read.data.ways.length ? <p className="py-2 text-13 text-fg-3">{t('waysNone')}</p> : null}
      <ul className="divide-y divide-line">
        {read.data?.ways.map((way) => (
          <AlarmRouteLine key={way.id} way={way} />
        ))}
      </ul>
      {may('alarms.manage') ? (
        <Button variant="secondary" className="mt-2" onClick={() => setAdding(true)}>
          <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('add')}
        </Button>
      ) : null}
      {isAdding && read.data ? <AlarmRouteForm escalateMinutes={read.data.escalateMinutes} onClose={() => setAdding(false)} /> : null}
    </ConsolePanel>
  )
}

function AlarmRouteLine({ way }: { readonly way: AlarmRoute }) {
  const t = useTexts(panelTexts)
  const say = useConsoleFormatter()
  const may = useHasPermission()
  const { data: me } = useSignedInOperator()
  const { run, isRunning } = useSubmit()
  const [secret, setSecret] = useState<{ readonly secret: string; readonly url: string }>()
  const isMine = way.operatorId === me?.id || may('alarms.manage')
  const said = (error: Error | undefined) => {
    if (error) toast.error(error.message)
  }
  const test = () =>
    void run(async () => {
      await alarmsApi.testAlarm({ wayId: way.id })
      toast.success(t('testSent'))
      await queryClient.invalidateQueries({ queryKey: ['alarms', 'ways'] })
    }).then(said)
  const terms = [
    ...(way.waitMinutes ? [t('waitLine', { n: way.waitMinutes })] : []),
    ...(way.quietFrom && way.quietTo ? [t('quietLine', { from: way.quietFrom, to: way.quietTo })] : []),
  ]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-13">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <strong className="font-semibold">{way.operatorName}</strong>
          <span className="text-fg-2">{say.value(way.kind)}</span>
          <span className="num text-fg-2 [overflow-wrap:anywhere] whitespace-normal">{way.address}</span>
          <Badge tone={SEVERITY_TONES[way.severity]}>{t('wayLine', { severity: t(ALARMS_SEVERITY_TEXT[way.severity]) })}</Badge>
        </p>
        <p className="text-12 text-fg-3">
          {[
            ...terms,
            way.last === null
              ? t('lastNone')
              : way.last.state === 'failed'
                ? t('lastBad', { problem: way.last.problem ?? '' })
                : t('lastOk', { at: displayTime(way.last.at) }),
          ].join(' · ')}
        </p>
      </div>
      {isMine && may('alarms.answer') ? (
        <Button variant="ghost" disabled={isRunning} onClick={test}>
          {t('test')}
        </Button>
      ) : null}
      {isMine && way.kind === 'webhook' && may('alarms.answer') ? (
        <Button
          variant="ghost"
          disabled={isRunning}
          onClick={() => void run(async () => setSecret(await runWithStepUp(() => alarmsApi.hookSecret({ wayId: way.id })))).then(said)}
        >
          {t('secret')}
        </Button>
      ) : null}
      <CommandButton name="alarm.untell" input={{ way: way.id }} about={`${way.operatorName} ${way.address}`} word={t('remove')} variant="ghost" />
      {secret ? (
        <Dialog open size="sm" title={t('secret')} description={t('secretAbout')} onClose={() => setSecret(undefined)}>
          <dl className="grid grid-cols-1 gap-2 text-13">
            {(
              [
                [t('secretUrl'), secret.url],
                [t('secret'), secret.secret],
              ] as const
            ).map(([name, value]) => (
              <div key={name}>
                <dt className="text-fg-3">{name}</dt>
                <dd className="flex items-center gap-2">
                  <code className="num min-w-0 flex-1 [overflow-wrap:anywhere] whitespace-normal">{value}</code>
                  <CopyButton text={value} iconOnly />
                </dd>
              </div>
            ))}
          </dl>
        </Dialog>
      ) : null}
    </li>
  )
}
