import { Link } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { formatCount } from '#platform/shared/show-money.ts'
import { parseUsd, addNano, computeTokenCost, formatUsd } from '#platform/shared/money.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayShortUsd } from '#platform/web/money.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { MAX_TEST_TOKENS, testPiece, type TestPiece } from '../../contract-keys.ts'
import type { ApiKeyRow, ModelRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { keysApi } from '../gateway-api.ts'
import { useKeysChanged, useModelPrices } from '../queries.ts'
import { useKeyDialogs } from './key-dialogs.ts'
import { DEFAULT_SNIPPET_MODEL } from './snippets.ts'

/** Makes a small real call as a key, from the page: shows its price beforehand, the answer as it arrives, and then the receipt. */
export function TestDialog() {
  const t = useTexts(gatewayTexts)
  const { testing, close } = useKeyDialogs()
  const form = useId()
  const test = useTestCall(testing)
  const models = (useModelPrices().data?.rowList ?? []).filter((row) => row.kind === 'chat' && row.lifecycle === 'active')
  const [chosen, choose] = useState('')
  const [typed, setTyped] = useState<string>()
  const text = typed ?? t('testSample')
  useEffect(() => {
    choose('')
    setTyped(undefined)
  }, [testing])
  const model = models.find((one) => one.modelValue === (chosen || (testing?.lastModel ?? DEFAULT_SNIPPET_MODEL.id))) ?? models[0]
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (testing && model && text.trim()) void test.send({ keyId: testing.keyId, model: model.modelValue, text })
  }
  return (
    <Dialog
      open={testing !== undefined}
      onClose={() => {
        test.stop()
        close()
      }}
      size="md"
      title={t('testTitle')}
      description={testing ? <span className="break-anywhere">{t('testOf', { name: testing.keyName, token: testing.apiToken })}</span> : undefined}
      initialFocus={() => document.getElementById(form)?.querySelector('select') ?? true}
      footer={
        <div className="flex w-full flex-wrap items-center justify-between gap-3">
          <span className="text-13 text-fg-2">{model ? t('testPrice', { amount: displayShortUsd(computeMaximumPrice(model, text), 'spent', 6) }) : null}</span>
          <Button type="submit" form={form} loading={test.busy} disabled={!model || text.trim() === ''}>
            {t('testSend')}
          </Button>
        </div>
      }
    >
      <form id={form} onSubmit={send} noValidate className="grid grid-cols-1 gap-4">
        <PickField
          label={t('colModelName')}
          options={models.map(({ modelValue }) => ({ value: modelValue, label: modelValue }))}
          value={model?.modelValue ?? ''}
          onChange={choose}
        />
        <TextField label={t('testText')} value={text} maxLength={500} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
        <TestAnswer pieces={test.pieces} error={test.error} busy={test.busy} onLeave={close} />
      </form>
    </Dialog>
  )
}

function TestAnswer({
  pieces,
  error,
  busy,
  onLeave,
}: {
  readonly pieces: readonly TestPiece[]
  readonly error: string | undefined
  readonly busy: boolean
  readonly onLeave: () => void
}) {
  const t = useTexts(gatewayTexts)
  const said = pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')
  const last = pieces.findLast((piece) => piece.kind !== 'text')
  if (!busy && !last && !error) return <p className="pb-2 text-13 text-fg-3">{t('testNote', { tokens: MAX_TEST_TOKENS })}</p>
  return (
    <div className="mb-3 grid gap-2.5 rounded-card border border-line bg-sunken p-4" role="status" aria-busy={busy}>
      {last?.kind === 'refused' ? (
        <p className="text-14 text-danger [overflow-wrap:anywhere]">
          <span className="num">{last.status}</span> {last.message}
        </p>
      ) : error ? (
        <p className="text-14 text-danger">{error}</p>
      ) : (
        <p className="min-h-6 text-14 whitespace-pre-wrap [overflow-wrap:anywhere]">{said || (busy ? t('testWaiting') : t('testSilent'))}</p>
      )}
      {last ? (
        <p className="flex flex-wrap items-center justify-between gap-2 border-t border-dashed border-line pt-2.5 text-13 text-fg-2">
          <span className="num">
            {last.kind === 'end' ? t('callSpeedValue', { first: formatCount(last.firstByteMs), total: formatCount(last.totalMs) }) : t('notCharged')}
          </span>
          <Link
            to="/api"
            search={{ tab: 'requests', call: last.requestId.replace(/^req_/, last.kind === 'end' ? 'call_' : 'ref_') }}
            onClick={onLeave}
            className={getButtonClass('secondary', 'sm')}
          >
            {t('testReceipt')}
          </Link>
        </p>
      ) : null}
    </div>
  )
}

/** Upper bound of the price: a token has at least one byte, and the answer is limited to `MAX_TEST_TOKENS`. */
export function computeMaximumPrice({ prices }: Pick<ModelRow, 'prices'>, text: string): string {
  const bytes = new TextEncoder().encode(text).length + 64
  return formatUsd(addNano(computeTokenCost(bytes, parseUsd(prices.usd.input)), computeTokenCost(MAX_TEST_TOKENS, parseUsd(prices.usd.output))))
}

function useTestCall(key: ApiKeyRow | undefined) {
  const changed = useKeysChanged()
  const [pieces, setPieces] = useState<readonly TestPiece[]>([])
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const going = useRef<AbortController>(undefined)
  useEffect(() => {
    setPieces([])
    setError(undefined)
  }, [key])
  const send = async (input: { keyId: string; model: string; text: string }) => {
    const stop = new AbortController()
    going.current?.abort()
    going.current = stop
    setPieces([])
    setError(undefined)
    setBusy(true)
    const decoder = new TextDecoder()
    let rest = ''
    try {
      await keysApi.testKey(input, {
        signal: stop.signal,
        alone: true,
        onPiece: (bytes) => {
          const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
          rest = lines.pop()!
          const read = lines.filter(Boolean).map((line) => testPiece.parse(JSON.parse(line)))
          if (!stop.signal.aborted) setPieces((old) => [...old, ...read])
        },
      })
      await changed()
    } catch (failure) {
      if (!stop.signal.aborted) setError(isApiError(failure) ? failure.message : String(failure))
    } finally {
      if (going.current === stop) setBusy(false)
    }
  }
  return { pieces, error, busy, send, stop: () => going.current?.abort() }
}
