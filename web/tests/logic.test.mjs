// The workbench: from a typing error to a drawn model, announcements, other languages, and runs.
import assert from 'node:assert/strict';
import { quiet } from './lib/browser.mjs';

const editor = (page) => page.getByRole('textbox', { name: /^Text of the model/ });

/** Puts a text into the editor in place of what is there. */
async function write(page, text) {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** The verdicts of all questions, in order. */
async function verdicts(page) {
  await quiet(page);
  await page.getByText('Working…').first().waitFor({ state: 'hidden' });
  return page.getByRole('region', { name: 'Questions' }).locator('li .verdict strong').allTextContents();
}

const ISPL = `Agent Environment
  Vars:
    light : boolean;
  end Vars
  Actions = {flip, keep};
  Protocol:
    Other : {flip, keep};
  end Protocol
  Evolution:
    light=true if light=false and Action=flip;
    light=false if light=true and Action=flip;
  end Evolution
end Agent
Agent Watcher
  Lobsvars = {light};
  Vars:
    seen : boolean;
  end Vars
  Actions = {look};
  Protocol:
    Other : {look};
  end Protocol
  Evolution:
    seen=true if Environment.Action=flip;
  end Evolution
end Agent
Evaluation
  lit if Environment.light=true;
  noticed if Watcher.seen=true;
end Evaluation
InitStates
  Environment.light=false and Watcher.seen=false;
end InitStates
Formulae
  AG (lit -> K(Watcher, lit));
  AG (noticed -> lit);
end Formulae
`;

/** Six agents who see the bits of the others: 64 worlds. */
const SIXTY_FOUR = `agents a, b, c, d, e, f
props p, q, r, s, t, u
observe a sees q, r, s, t, u
observe b sees p, r, s, t, u
observe c sees p, q, s, t, u
observe d sees p, q, r, t, u
observe e sees p, q, r, s, u
observe f sees p, q, r, s, t
point p, q, r, s, t, u
check p
`;

const SMCDEL = `-- two bits
VARS 1, 2
LAW OR (1, 2)
OBS anna: 1
    ben: 2
VALID? anna knows whether 1
VALID? ben knows whether 1
WHERE? ben knows that 1
`;

export default [
  {
    name: 'The workbench: an error is underlined and explained, then the model is drawn',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/logic');
      await editor(page).waitFor();
      await page.getByText('Model with 8 worlds').waitFor({ state: 'attached' });
      await write(page, 'agents anna, ben\nprops p, q\nobserve anna sees p\nobserve ben sees q\npoint p, q\ncheck K[alna] p expect true\n');
      await page.locator('.cm-lintRange-error').first().waitFor();
      const diagnostics = page.getByRole('region', { name: 'Text of the model' }).getByRole('status').first();
      await diagnostics.getByText(/alna/).first().waitFor();
      await diagnostics.getByText(/did you mean/).first().waitFor();
      await page.getByText('Does not parse yet.').waitFor();
      await bench.picture(page, 'logic-error');
      await write(page, 'agents anna, ben\nprops p, q\nobserve anna sees p\nobserve ben sees q\npoint p, q\ncheck K[anna] p expect true\ncheck K[anna] q\n');
      await page.getByText('Parses:').waitFor();
      await page.getByText('4 worlds').first().waitFor();
      await page.locator('.cm-lintRange-error').first().waitFor({ state: 'detached' });
      const found = await verdicts(page);
      assert.equal(found.length, 2);
      assert.match(found[0], /^holds here/);
      assert.match(found[1], /^does not hold here/);
      assert.equal(await page.getByRole('region', { name: 'Drawing' }).locator('svg').first().isVisible(), true);
      // The draft is still there when one comes back.
      await page.goto('/');
      await page.goto('/logic');
      await page.getByText('4 worlds').first().waitFor();
    },
  },
  {
    name: 'The workbench: an announcement takes worlds away, step by step and back',
    async run(bench) {
      const person = await bench.person();
      const { page } = person;
      await page.goto('/logic?model=muddy');
      await page.getByLabel('Announce to everybody').fill('muddy(1) | muddy(2) | muddy(3)');
      await page.getByRole('region', { name: 'Drawing' }).getByRole('button', { name: 'Announce', exact: true }).click();
      const steps = page.getByRole('list', { name: 'Announcements' });
      await steps.getByText('7 worlds, 1 gone').waitFor();
      await page.getByLabel('Ask a formula (after the announcement)').fill('C[all] (muddy(1) | muddy(2) | muddy(3))');
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.getByText('yours').waitFor();
      assert.match((await verdicts(page)).join(), /holds here/);
      await page.getByRole('button', { name: 'Mark worlds' }).first().click();
      await page.getByText('Marked by').waitFor();
      await bench.picture(page, 'logic-announced');
      await steps.getByRole('button', { name: /the model/ }).click();
      await page.getByText('Model with 8 worlds').waitFor({ state: 'attached' });
      // What is false cannot be announced, and it is said why.
      person.expect(/4\d\d/);
      await page.getByLabel('Announce to everybody').fill('!muddy(1)');
      await page.getByRole('region', { name: 'Drawing' }).getByRole('button', { name: 'Announce', exact: true }).click();
      await page.getByRole('region', { name: 'Drawing' }).getByRole('alert').waitFor();
    },
  },
  {
    name: 'The workbench: ISPL is pasted in, and a counterexample is played as a run',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/logic');
      await write(page, ISPL);
      await page.getByLabel('Language').locator('option', { hasText: 'ISPL' }).first().waitFor({ state: 'attached' });
      await page.getByText(/found by itself: ISPL/).waitFor({ state: 'attached' });
      const questions = page.getByRole('region', { name: 'Questions' });
      await questions.getByText(/noticed -> lit|noticed/).first().waitFor();
      const found = await verdicts(page);
      assert.equal(found.length, 2);
      const play = questions.getByRole('button', { name: 'Why? Play the run' });
      await play.last().click();
      const run = page.getByRole('region', { name: 'A run' });
      await run.getByText('step 0 of 2').waitFor();
      await run.getByRole('button', { name: 'Next' }).click();
      await run.getByText('step 1 of 2').waitFor();
      await run.getByRole('slider', { name: 'State of the run' }).fill('2');
      await run.getByText('step 2 of 2').waitFor();
      await bench.picture(page, 'logic-run');
      await run.getByRole('button', { name: 'Start' }).click();
      await run.getByRole('button', { name: 'Play', exact: true }).click();
      await run.getByText('step 2 of 2').waitFor();
    },
  },
  {
    name: 'The workbench: SMCDEL is pasted in and answered',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/logic');
      await write(page, SMCDEL);
      await page.getByText(/found by itself: SMCDEL/).waitFor({ state: 'attached' });
      await page.getByText('3 worlds').first().waitFor();
      assert.deepEqual(await verdicts(page), ['valid in the model', 'not valid in the model', 'satisfiable: in 1 of 3 worlds']);
    },
  },
  {
    name: 'The workbench: the answer to my own formula is on the screen, on a phone too',
    async run(bench) {
      for (const viewport of [{ width: 1280, height: 900 }, { width: 390, height: 844 }]) {
        const { page } = await bench.person({ viewport });
        await page.goto('/logic?model=muddy');
        await verdicts(page);
        for (const formula of ['muddy(1)', 'muddy(2) & muddy(3)']) {
          await page.getByLabel('Ask a formula').fill(formula);
          await page.getByRole('button', { name: 'Ask', exact: true }).click();
          const answer = page.getByRole('region', { name: 'Questions' }).locator('li', { hasText: 'yours' }).first();
          await answer.getByText(formula, { exact: true }).waitFor();
          await verdicts(page);
          const { y, height } = await answer.boundingBox();
          assert.ok(y >= 0 && y + height <= viewport.height, `${formula} at ${viewport.width}: the answer lies at ${y}`);
        }
      }
    },
  },
  {
    name: 'The workbench: what cannot be announced stays in the box, marked as wrong',
    async run(bench) {
      const person = await bench.person();
      const { page } = person;
      await page.goto('/logic?model=muddy');
      await page.getByText('Model with 8 worlds').waitFor({ state: 'attached' });
      person.expect(/4\d\d/);
      const box = page.getByLabel('Announce to everybody');
      const announce = page.getByRole('region', { name: 'Drawing' }).getByRole('button', { name: 'Announce', exact: true });
      for (const bad of ['muddy(1', '!muddy(1)', 'K[child(9)] muddy(1)']) {
        await box.fill(bad);
        await announce.click();
        await page.getByRole('region', { name: 'Drawing' }).getByRole('alert').waitFor();
        await quiet(page);
        assert.equal(await box.inputValue(), bad);
        assert.equal(await box.getAttribute('aria-invalid'), 'true');
      }
      await box.fill('muddy(1) | muddy(2)');
      assert.equal(await box.getAttribute('aria-invalid'), 'false', 'what is typed anew is not wrong yet');
      await announce.click();
      await page.getByRole('list', { name: 'Announcements' }).getByText('gone').waitFor();
      assert.equal(await box.inputValue(), '');
    },
  },
  {
    name: 'The workbench: every count of worlds is of what was announced',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/logic?model=muddy');
      await page.getByText('Model with 8 worlds').waitFor({ state: 'attached' });
      await page.getByLabel('Announce to everybody').fill('muddy(1) | muddy(2) | muddy(3)');
      await page.getByRole('region', { name: 'Drawing' }).getByRole('button', { name: 'Announce', exact: true }).click();
      await page.getByText('7 worlds, 1 gone').waitFor();
      await verdicts(page);
      const words = page.getByRole('region', { name: 'Text of the model' }).getByRole('status').last();
      await words.getByText(/8 worlds.*7 worlds are left/).waitFor();
      await page.getByText('Model with 7 worlds').waitFor({ state: 'attached' });
      await page.getByText('7 of 8 worlds are left.').waitFor();
      assert.equal(await page.getByText('Model with 8 worlds').count(), 0);
      const captions = await page.getByRole('region', { name: 'Drawing' }).locator('.note').allTextContents();
      assert.deepEqual(captions.filter((caption) => /\d+ worlds?\./.test(caption)), [], 'no caption counts what is gone');
      await page.getByRole('list', { name: 'Announcements' }).getByRole('button', { name: /the model/ }).click();
      await page.getByRole('region', { name: 'Drawing' }).getByText('8 worlds.', { exact: true }).waitFor();
    },
  },
  {
    name: 'The workbench: 64 worlds are drawn at once, and an old drawing does not pass for the new one',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/logic?model=muddy');
      await page.getByText('Model with 8 worlds').waitFor({ state: 'attached' });
      let asked = 0;
      await page.route('**/api/logic/draw', async (route) => {
        asked += 1;
        await new Promise((done) => setTimeout(done, 600));
        await route.continue();
      });
      await write(page, SIXTY_FOUR);
      await page.getByText('Drawing…').waitFor();
      const old = page.getByRole('region', { name: 'Drawing' }).locator('.sheet');
      assert.ok(Number(await old.evaluate((it) => getComputedStyle(it).opacity)) < 0.6, 'the old drawing is dimmed');
      await page.getByText('Model with 64 worlds').waitFor({ state: 'attached' });
      await quiet(page);
      assert.equal(asked, 1, 'one text is laid out once');
      assert.equal(await page.getByText('Drawing…').count(), 0);
      await bench.picture(page, 'logic-64');
    },
  },
];
