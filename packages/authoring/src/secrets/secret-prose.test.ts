import { describe, expect, it } from "vitest";
import { redactSecrets } from "../redact-secrets.js";

describe("redactSecrets in sentences", () => {
  it.each([
    ["password hunter2 rejected", "password [REDACTED] rejected"],
    ["my passwd is sw0rdfish", "my passwd is [REDACTED]"],
    ["my password was 'swordfish'.", "my password was '[REDACTED]'."],
    ["pwd sword!fish, user bob", "pwd [REDACTED], user bob"],
    ["login with password Sw0rdfish failed", "login with password [REDACTED] failed"],
    ["password: swordfish", "password: [REDACTED]"],
    ['the password "hunter2" was refused', 'the password "[REDACTED]" was refused'],
    ["Password is now hunter2!", "Password is now [REDACTED]!"],
    ["the api key is 7f3kq99x", "the api key is [REDACTED]"],
    ["the token is abc123def", "the token is [REDACTED]"],
    ["using api key ck_fake_77Zm1XvQ for dhl", "using api key [REDACTED] for dhl"],
    ["session key: 9a8b7c6d5e4f", "session key: [REDACTED]"],
    ["Unseal Key 2: Hk3Zt8Wb1y", "Unseal Key 2: [REDACTED]"],
    ["the client secret is ab-12x-Lodge-9k, again", "the client secret is [REDACTED], again"],
    ["pin for operator 4 is 771204-B", "pin for operator 4 is [REDACTED]"],
    ["your one-time code: QK12-AB9", "your one-time code: [REDACTED]"],
    ['psk for station north is "stratus over 12"', 'psk for station north is "[REDACTED]"'],
    ['the api key "mast-7f6e5d4c" is not valid', 'the api key "[REDACTED]" is not valid'],
    [
      "password for user jo changed to Fohn#4 by admin",
      "password for user jo changed to [REDACTED] by admin",
    ],
    [
      "rotated password from Old-Yard-1 to New-Yard-2",
      "rotated password from [REDACTED] to [REDACTED]",
    ],
    ["with password Bell.Tone-42 -> 401", "with password [REDACTED] -> 401"],
    ["smtp login with mailer / Pine.Row7 accepted", "smtp login with mailer / [REDACTED] accepted"],
    ["admin login is desk / Amber-Wren-4, ask Jo", "admin login is desk / [REDACTED], ask Jo"],
    ["mount failed for labels%Cedar*Moon7: denied", "mount failed for labels%[REDACTED] denied"],
    ["WRONGPASS (tried default/MossLane8)", "WRONGPASS (tried default/[REDACTED])"],
    [
      "client secret is now q8~Rt5LmS.v3KpY for app web",
      "client secret is now [REDACTED] for app web",
    ],
    [
      "backup codes: 3KQF-11ND, Z8TL-94VD; keep them",
      "backup codes: [REDACTED], [REDACTED]; keep them",
    ],
    ["SMTP_LOGIN=svc-mail:Basalt-Gull9", "SMTP_LOGIN=svc-mail:[REDACTED]"],
    ["name: X-Probe-Key\n  value: pk-71f0a9c2e8", "name: X-Probe-Key\n  value: [REDACTED]"],
    [
      "in a hurry: the pw is Dyke+Rook77, then restart",
      "in a hurry: the pw is [REDACTED], then restart",
    ],
    ["admin password: Plaster-Bow-6 (change me)", "admin password: [REDACTED] (change me)"],
    ["unlock passphrase: walk three dogs", "unlock passphrase: [REDACTED]"],
    [
      "reset link https://air.example/reset?code=7gHs3-XuC82-zKn&lang=de sent",
      "reset link https://air.example/reset?code=[REDACTED]&lang=de sent",
    ],
    [
      "https://events.example/integration/e91facc04764013d7bfb004500d5d1a7/enqueue",
      "https://events.example/integration/[REDACTED]/enqueue",
    ],
    ["content key=1f3c9ab27de84415b6a1c8d2e7f90346 kid=7", "content key=[REDACTED] kid=7"],
    ["(mysqladmin, -uroot, -pOtterBay2, ping)", "(mysqladmin, -uroot, -p[REDACTED], ping)"],
  ])("hides the value in %j", (text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
    expect(redactSecrets(expected)).toBe(expected);
  });

  it.each([
    "password rejected",
    "passphrase: not set, the key is not encrypted",
    "password: see the page of the team (change it)",
    "https://git.example/shop/web/commit/1f3c9ab27de84415b6a1c8d2e7f90346?diff=split",
    "https://web.example/list?after=2027-03-16T12:12:12Z&sort=createdAt&page=3",
    "https://web.example/list?cursor=aB3xKq9ZtL0wPv",
    "cache key=1f3c9ab27de84415b6a1c8d2e7f90346 hit",
    "login with google / github disabled",
    "logged in as deploy/web-7c9d",
    "LAST_LOGIN=2026-11-27T10:00:00Z",
    "TOKEN_BUDGET=4096",
    "cpu for web%2FApi7 is high",
    "access keys: 3 of 5 used",
    "name: SORT_KEY, value: created_at",
    "login with password authentication failed",
    "my passphrase is lost",
    "password is wrong",
    "the password was not accepted",
    "password authentication failed for user bob",
    "using password authentication",
    "password must have 12 characters",
    "Password expires in 30 days",
    "pwd /var/lib",
    "run pwd && ls",
    "password for user2 rejected",
    "passwd: no entry",
    "forgot password?",
    "the token is missing",
    "the secret is shop/db-credentials-2",
    "token is expired since 2024-01-01",
    "Access denied for user root (using password: YES)",
    "password is required",
    "change your password on the page",
    "with a password of 12 characters",
    "pod external-secrets-5d9 was killed",
    "primary key violation on row 7, skipped",
    "host key verification failed for node-17b",
    "session key expired at 2026-11-09T07:07:00Z",
    "password from secret orders-db-2",
    "api key orders-api-key-2 was not found",
    "login code path: handleLogin2FA",
    "recovery code path hit in handler7",
    "pin is GPIO17",
    "otp is OTP-26 (Erlang)",
    "tests: pass=12 fail=0",
    "TOKEN_REFRESH_SECONDS=3600",
    "DB_PASSWORD_FILE_HINT=see page 12",
  ])("leaves %j as it is", (text) => {
    expect(redactSecrets(text)).toBe(text);
  });
});

describe("redactSecrets in commands and protocols", () => {
  it.each([
    ["lftp -u jo,Harbour#44 ftp.example", "lftp -u jo,[REDACTED] ftp.example"],
    ["htpasswd -bc /etc/users admin Pilot-Boat", "htpasswd -bc /etc/users admin [REDACTED]"],
    ["7z a -pShort-Crane /out/a.7z", "7z a -p[REDACTED] /out/a.7z"],
    ["snmpget -v3 -u probe -A AuthWind-9 10.1.1.1", "snmpget -v3 -u probe -A [REDACTED] 10.1.1.1"],
    ["-h broker -u feeder -P Pump#South12 -t ring", "-h broker -u feeder -P [REDACTED] -t ring"],
    ["rclone --sftp-pass Pier-Nine-9", "rclone --sftp-pass [REDACTED]"],
    [
      "issued cookie session=s%3Avet.Qm7LxT; HttpOnly",
      "issued cookie session=[REDACTED]; HttpOnly",
    ],
    ["AUTH PLAIN AGpvAGhpZGRlbjEy", "AUTH PLAIN [REDACTED]"],
    ["8=FIX.4.4|35=A|553=jo|554=Crow-2|108=30", "8=FIX.4.4|35=A|553=jo|554=[REDACTED]|108=30"],
    ["<Password Type='Text'>Jay.77</Password>", "<Password Type='Text'>[REDACTED]</Password>"],
    ["define('AUTH_KEY', 'p|Kq+4~x^Z');", "define('AUTH_KEY', '[REDACTED]');"],
    [
      "https://hooks.proxy.example/services/T02AB/B09CD/qWeRtY12uIoP",
      "https://hooks.proxy.example/services/T02AB/B09CD/[REDACTED]",
    ],
  ])("hides the value in %j", (text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
    expect(redactSecrets(expected)).toBe(expected);
  });

  it.each([
    "psql -U app -p 5432 -w -d orders2024",
    "mosquitto_sub -h broker -u feeder -p 1883",
    "docker run -u 1000 -p 8080:80 nginx:1.27",
    "AUTH LOGIN failed for user",
    "GET /services/TEAM1/BOARD2/abcdefgh-report 200",
    "define('APP_KEY_NAME', 'web')",
  ])("leaves %j as it is", (text) => {
    expect(redactSecrets(text)).toBe(text);
  });
});
