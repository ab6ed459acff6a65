import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { describe, it } from 'node:test';
import { ConfigError, readConfig } from './config.ts';

describe('FETCH_ALLOW_CIDRS', () => {
  const opened = { FETCH_ALLOW_CIDRS: '127.0.0.1/32, 10.1.0.0/16,::1' };

  it('opens nothing unless it is set', () => {
    assert.deepEqual(readConfig({}).fetchAllow, []);
    assert.deepEqual(readConfig({ NODE_ENV: 'production' }).fetchAllow, []);
    assert.deepEqual(readConfig(opened).fetchAllow, ['127.0.0.1/32', '10.1.0.0/16', '::1']);
  });

  it('is refused in production unless it is said to be meant', () => {
    const forgotten = { ...opened, NODE_ENV: 'production' };
    assert.throws(() => readConfig(forgotten), ConfigError);
    assert.throws(() => readConfig({ ...forgotten, FETCH_ALLOW_CIDRS_IN_PRODUCTION: '' }), ConfigError);
    assert.throws(() => readConfig({ ...forgotten, FETCH_ALLOW_CIDRS_IN_PRODUCTION: 'no' }), ConfigError);
    const meant = { ...forgotten, FETCH_ALLOW_CIDRS_IN_PRODUCTION: 'yes' };
    assert.equal(readConfig(meant).fetchAllow.length, 3);
  });

  it('names networks, not hosts', () => {
    for (const text of ['localhost', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129', '*'])
      assert.throws(() => readConfig({ FETCH_ALLOW_CIDRS: text }), ConfigError, text);
  });
});

describe('PUBLIC_URL', () => {
  it('is a plain address', () => {
    assert.equal(
      readConfig({ PUBLIC_URL: 'https://cards.example.com/' }).publicUrl,
      'https://cards.example.com',
    );
    for (const address of ['user@x.example', ':word@x.example', 'x.example/?a', 'x.example/#a', ''])
      assert.throws(() => readConfig({ PUBLIC_URL: `https://${address}` }), ConfigError, address);
  });
});

describe('a misspelt setting', () => {
  it('is named, with the one that was probably meant', () => {
    const slips = {
      PUBLIC_ULR: 'PUBLIC_URL',
      PUBLIC_UR: 'PUBLIC_URL',
      PUBLICURL: 'PUBLIC_URL',
      public_url: 'PUBLIC_URL',
      DATABASE_URI: 'DATABASE_URL',
      OPERATOR_TOKENS: 'OPERATOR_TOKEN',
      NATA_DIR: 'DATA_DIR',
    };
    for (const [found, meant] of Object.entries(slips)) {
      const message = new RegExp(`^${found} is no setting: ${meant} was probably meant\\.`);
      assert.throws(() => readConfig({ [found]: 'x' }), { constructor: ConfigError, message });
    }
  });

  it('is that of another program where the right one is there too, empty or not', () => {
    assert.equal(readConfig({ DATABASE_URI: 'x', DATABASE_URL: '' }).databaseUrl, null);
    const both = { PUBLIC_ULR: 'x', PUBLIC_URL: 'https://cards.example.com' };
    assert.equal(readConfig(both).publicUrl, 'https://cards.example.com');
  });

  it('is nothing that is merely like it', () => {
    const foreign = [
      'PORTS',
      'HOSTS',
      'WORKER',
      'DATABASE_PORT',
      'REDIS_PORT',
      'APPLE_PASS',
      'MAIL_TO',
      'PATH',
    ];
    readConfig(Object.fromEntries(foreign.map((name) => [name, 'x'])));
    readConfig({ PUBLIC_ULR: undefined });
  });
});

describe('PROCESSES', () => {
  const processes = (text: string) => readConfig({ PROCESSES: text }).processes;

  it('is one unless it is set, and one a core if it is auto', () => {
    assert.equal(readConfig({}).processes, 1);
    assert.equal(processes(''), 1);
    const cores = process.platform === 'linux' ? Math.min(availableParallelism(), 32) : 1;
    assert.equal(processes('auto'), cores);
  });

  it('is a number that one machine can have', () => {
    assert.equal(processes('1'), 1);
    if (process.platform === 'linux') assert.equal(processes('32'), 32);
    else assert.throws(() => processes('2'), ConfigError);
    for (const text of ['0', '33', '-1', '1.5', 'two', 'Auto', '1e1'])
      assert.throws(() => processes(text), ConfigError, text);
  });
});

describe('OIDC_ISSUER', () => {
  const all = {
    OIDC_ISSUER: 'https://login.example.com/tenant/',
    OIDC_CLIENT_ID: 'a',
    OIDC_CLIENT_SECRET: 'b',
  };

  it('keeps the slash at its end, and is none unless it is set', () => {
    assert.equal(readConfig(all).oidc?.issuer, all.OIDC_ISSUER);
    assert.equal(readConfig({}).oidc, null);
  });

  it('is https, a plain address, and needs the two others', () => {
    for (const issuer of [
      'http://login.example.com',
      'https://a:b@login.example.com',
      'https://login.example.com?a=b',
    ])
      assert.throws(() => readConfig({ ...all, OIDC_ISSUER: issuer }), /OIDC_ISSUER must be/);
    for (const name of Object.keys(all))
      assert.throws(() => readConfig({ ...all, [name]: '' }), /set all or none/);
  });
});
