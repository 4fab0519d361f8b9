import { useState } from 'react'
import { Download, ShieldCheck } from 'lucide-react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { saveBlob } from '#platform/web/save-blob.ts'
import { Time } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { toast } from '#ui/layers/toast.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { auditContract } from '../../contract-audit.console.ts'
import { createConsoleApi } from '../kit/api.ts'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { useOperatorName, useOperators } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import type { ListColumn } from '../kit/list/types.ts'
import { DataLine } from '../kit/customer-link.tsx'
import { AuditSheet } from './audit-sheet.tsx'
import type { AuditSheetRow } from './audit-sheet.tsx'
import { auditTexts } from './texts.ts'

const { audit, auditFile, verifyAudit } = auditContract
const api = createConsoleApi({ audit, auditFile, verifyAudit })
const DAY_MS = 86_400_000
const startOfDay = (day: string | undefined) => (day ? `${day}T00:00:00+08:00` : undefined)
const endOfDay = (day: string | undefined) => (day ? new Date(Date.parse(`${day}T00:00:00+08:00`) + DAY_MS).toISOString() : undefined)

/** The audit log: actor, action and target of every change. Rows cannot be deleted. */
export function AuditScreen() {
  const t = useTexts(auditTexts)
  const { data: staff } = useOperators()
  const columns = useAuditColumns()
  const [dialog, setDialog] = useState<'verify' | 'file'>()
  return (
    <>
      <ListScreen
        name="audit"
        title={t('title')}
        about={t('about')}
        search={t('search')}
        actions={
          <>
            <Button variant="secondary" onClick={() => setDialog('verify')}>
              <ShieldCheck size={14} strokeWidth={1.75} aria-hidden="true" />
              {t('verify')}
            </Button>
            <Button variant="secondary" onClick={() => setDialog('file')}>
              <Download size={14} strokeWidth={1.75} aria-hidden="true" />
              {t('export')}
            </Button>
          </>
        }
        load={async ({ after, limit, q, actor, actions, except, from, to }, signal) => {
          const { rows, before } = await api.audit(
            {
              target: q as string,
              actor: actor as string,
              actions: actions as string,
              except: except as string,
              from: startOfDay(from as string),
              to: endOfDay(to as string),
              before: after,
              limit,
            },
            { signal },
          )
          return { rows, next: before }
        }}
        rowKey={(row) => row.id}
        filters={[
          { name: 'actor', label: t('actor'), kind: 'pick', options: staff?.operators.map(({ id, name }) => ({ value: id, label: name })) ?? [] },
          { name: 'actions', label: t('actions'), kind: 'text' },
          { name: 'except', label: t('except'), kind: 'text' },
          { name: 'from', label: t('from'), kind: 'day' },
          { name: 'to', label: t('to'), kind: 'day' },
        ]}
        columns={columns}
        empty={{ title: t('empty') }}
        sheet={({ id, row, close }) => <AuditSheet key={id} id={id} row={row} onClose={close} />}
      />
      {dialog === 'verify' ? <VerifyChain onClose={() => setDialog(undefined)} /> : null}
      {dialog === 'file' ? <AuditFile onClose={() => setDialog(undefined)} /> : null}
    </>
  )
}

function useAuditColumns(): readonly ListColumn<AuditSheetRow>[] {
  const t = useTexts(auditTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  return [
    { key: 'at', header: t('colAt'), width: '150px', cell: (row) => <Time at={row.at} show="second" />, mobile: 'primary', csv: (row) => row.at },
    {
      key: 'who',
      header: t('colWho'),
      cell: (row) =>
        row.actorKind === 'operator' ? (
          <strong className="font-semibold">{nameOf(row.actorId)}</strong>
        ) : (
          <span className="num text-fg-2">
            {row.actorKind === row.actorId ? say.subject(`${row.actorKind}:`).trim() : say.subject(`${row.actorKind}:${row.actorId}`)}
          </span>
        ),
      csv: (row) => `${row.actorKind}:${row.actorId}`,
    },
    { key: 'action', header: t('colAction'), cell: (row) => say.action(row.action), mobile: 'title', csv: (row) => row.action },
    {
      key: 'target',
      header: t('colTarget'),
      cell: (row) => <span className="num block max-w-[30ch] truncate">{say.subject(row.target)}</span>,
      csv: (row) => row.target,
    },
    {
      key: 'data',
      aside: true,
      header: t('colData'),
      cell: (row) => <DataLine data={row.data} className="max-w-[26ch]" />,
      mobile: 'hidden',
      csv: (row) => JSON.stringify(row.data),
    },
    {
      key: 'seq',
      aside: true,
      header: t('colSeq'),
      align: 'right',
      cell: (row) => <span className="num text-fg-3">{row.seq ?? '—'}</span>,
      mobile: 'hidden',
      csv: (row) => row.seq ?? '',
    },
  ]
}

/** Recomputes the hash chain. Compared with a chain head that was mailed out, it also detects a chain that was rewritten in full. */
function VerifyChain({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(auditTexts)
  const [head, setHead] = useState('')
  const [found, setFound] = useState<ReplyOf<typeof verifyAudit>>()
  const { run, isRunning, failure } = useSubmit()
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('verify')}
      description={t('verifyAbout')}
      footer={
        <Button
          size="lg"
          loading={isRunning}
          onClick={() => void run(async () => setFound(await api.verifyAudit(head.trim() ? { head: head.trim() } : {}, { timeoutMs: 120_000 })))}
        >
          {t('verifyDo')}
        </Button>
      }
    >
      <TextField
        label={t('head')}
        hint={t('headHint')}
        error={failure?.message}
        value={head}
        onChange={(event) => setHead(event.target.value)}
        className="num"
        autoComplete="off"
      />
      {found ? (
        <div role="status" className="mt-3 rounded-card bg-sunken p-3 text-13">
          <p className={`font-semibold ${found.faults.length ? 'text-danger' : 'text-success'}`}>
            {found.faults.length ? t('faults', { n: found.faults.length }) : t('whole', { n: found.rows })}
          </p>
          {found.faults.map((fault) => (
            <p key={`${fault.seq}${fault.what}`} className="num text-12">
              {fault.seq} · {fault.auditId} · {fault.what}
            </p>
          ))}
          <p className="num mt-1 flex items-center text-12 break-all text-fg-2 whitespace-normal">
            {found.head}
            <CopyButton iconOnly text={found.head} />
          </p>
        </div>
      ) : null}
    </Dialog>
  )
}

function AuditFile({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(auditTexts)
  const today = new Date(Date.now() + DAY_MS / 3).toISOString().slice(0, 10)
  const [from, setFrom] = useState(today)
  const [to, setTo] = useState(today)
  const { run, isRunning, failure } = useSubmit()
  const save = () =>
    void run(async () => {
      const file = await api.auditFile({ from, to }, { timeoutMs: 120_000 })
      saveBlob(new Blob([file.body as Uint8Array<ArrayBuffer>], { type: file.type }), file.filename)
      toast.success(t('exported'))
      onClose()
    })
  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title={t('export')}
      description={t('exportAbout')}
      footer={
        <Button size="lg" loading={isRunning} onClick={save}>
          {t('exportDo')}
        </Button>
      }
    >
      <div className="grid grid-cols-2 gap-3 pb-2">
        <TextField label={t('from')} type="date" value={from} max={to} onChange={(event) => setFrom(event.target.value)} className="num" />
        <TextField label={t('to')} type="date" value={to} min={from} error={failure?.message} onChange={(event) => setTo(event.target.value)} className="num" />
      </div>
    </Dialog>
  )
}
