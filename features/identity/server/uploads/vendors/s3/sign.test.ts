import { expect, test } from 'vitest'
import { buildS3PostFields, presignS3Url, computeS3Signature } from './sign.ts'

// The example account and its figures: docs.aws.amazon.com, "Authenticating Requests: Using Query Parameters", and "Examples: Browser-Based Upload using HTTP POST".
const account = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1' }

test('an address has the signature that AWS prints for it', () => {
  const url = presignS3Url(account, 'GET', {
    url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
    seconds: 86_400,
    at: new Date('2013-05-24T00:00:00Z'),
  })
  expect(new URL(url).searchParams.get('X-Amz-Signature')).toBe('aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404')
  expect(url).toContain('X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request')
})

test('a policy has the signature that AWS prints for it', () => {
  const policy =
    'eyAiZXhwaXJhdGlvbiI6ICIyMDE1LTEyLTMwVDEyOjAwOjAwLjAwMFoiLA0KICAiY29uZGl0aW9ucyI6IFsNCiAgICB7ImJ1Y2tldCI6ICJzaWd2NGV4YW1wbGVidWNrZXQifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRrZXkiLCAidXNlci91c2VyMS8iXSwNCiAgICB7ImFjbCI6ICJwdWJsaWMtcmVhZCJ9LA0KICAgIHsic3VjY2Vzc19hY3Rpb25fcmVkaXJlY3QiOiAiaHR0cDovL3NpZ3Y0ZXhhbXBsZWJ1Y2tldC5zMy5hbWF6b25hd3MuY29tL3N1Y2Nlc3NmdWxfdXBsb2FkLmh0bWwifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRDb250ZW50LVR5cGUiLCAiaW1hZ2UvIl0sDQogICAgeyJ4LWFtei1tZXRhLXV1aWQiOiAiMTQzNjUxMjM2NTEyNzQifSwNCiAgICB7IngtYW16LXNlcnZlci1zaWRlLWVuY3J5cHRpb24iOiAiQUVTMjU2In0sDQogICAgWyJzdGFydHMtd2l0aCIsICIkeC1hbXotbWV0YS10YWciLCAiIl0sDQoNCiAgICB7IngtYW16LWNyZWRlbnRpYWwiOiAiQUtJQUlPU0ZPRE5ON0VYQU1QTEUvMjAxNTEyMjkvdXMtZWFzdC0xL3MzL2F3czRfcmVxdWVzdCJ9LA0KICAgIHsieC1hbXotYWxnb3JpdGhtIjogIkFXUzQtSE1BQy1TSEEyNTYifSwNCiAgICB7IngtYW16LWRhdGUiOiAiMjAxNTEyMjlUMDAwMDAwWiIgfQ0KICBdDQp9'
  expect(computeS3Signature(account, new Date('2015-12-29T00:00:00Z'), policy)).toBe('8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e')
})

test('a form names its key, its type and its exact size, and ends', () => {
  const at = new Date('2026-11-23T00:00:00Z')
  const fields = buildS3PostFields(
    account,
    { bucket: 'papers', key: 'quarantine/paper_1', type: 'image/jpeg', least: 1234, most: 1234, expiresAt: new Date('2026-11-23T00:10:00Z') },
    at,
  )
  const policy = JSON.parse(Buffer.from(fields['policy']!, 'base64').toString()) as { expiration: string; conditions: unknown[] }
  expect(policy.expiration).toBe('2026-11-23T00:10:00.000Z')
  expect(policy.conditions).toContainEqual(['content-length-range', 1234, 1234])
  expect(policy.conditions).toContainEqual(['eq', '$key', 'quarantine/paper_1'])
  expect(policy.conditions).toContainEqual(['eq', '$Content-Type', 'image/jpeg'])
  expect(fields['x-amz-signature']).toBe(computeS3Signature(account, at, fields['policy']!))
  expect(Object.keys(fields)).not.toContain('x-amz-secret')
})
