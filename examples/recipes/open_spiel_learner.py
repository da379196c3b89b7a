"""OpenSpiel's tabular Q-learning plays Polarized Ladder's and every other game: python open_spiel_learner.py [GAMES]

pip install plyground open_spiel               # tried with open_spiel 2.0.2
"""
